import Type from 'typebox';
import { PACKS } from '@headrace/contract/water-takes';
import { ApiFailure } from '../../http/errors.ts';
import { defineLongJob, JobCancelled, JobFailure } from '../long-jobs/long-job-type.ts';
import type { PacksRepo } from './packs.repo.ts';
import type { PacksService } from './packs.service.ts';

export const PACK_JOB = 'water take pack';
/** More no download carries through a farm's radio link. */
const BYTES_MOST = 50_000_000;

interface Parts {
  readonly repo: PacksRepo;
  readonly packs: Pick<PacksService, 'made'>;
  readonly now: () => Date;
}

/** A pack of up to a year. Begun again it is made again, the same as before while nothing came since. */
export function packJob({ repo, packs, now }: Parts) {
  return defineLongJob({
    name: PACK_JOB,
    payload: Type.Object({ packUid: Type.String() }),
    keptDays: PACKS.keptDays,

    async run({ farmId, payload, signal, progress }) {
      const wanted = await repo.wanted(farmId, payload.packUid);
      if (!wanted) throw new JobCancelled('The take is gone, or its farm.');
      const { pack, takeUid, farm } = wanted;
      const query = {
        uid: takeUid,
        from: pack.from_day,
        to: pack.to_day,
        codes: pack.codes,
        gapsLeftOut: pack.gaps_left_out,
      };
      const made = await packs
        .made(farm, query, { accountId: pack.account_id, now: now(), over: signal, onStep: progress })
        .catch(final);
      if (made.content.byteLength > BYTES_MOST)
        throw new JobFailure('It is too large. Please ask for fewer days.');
      signal.throwIfAborted();
      await repo.keep(farmId, pack.uid, made);
      return { bytes: made.content.byteLength };
    },
  });
}

/** What a person would be answered is said to him; that others print at the time is no reason to give up. */
function final(error: unknown): never {
  if (error instanceof ApiFailure && !['tooMany', 'notReady'].includes(error.code))
    throw new JobFailure(error.message);
  throw error;
}
