import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { defineLongJob, JobCancelled } from '../long-jobs/long-job-type.ts';
import {
  type AnewRow,
  createStoredUplinksRepo,
  DECODE_ANEW_JOB,
  type StoredUplinksRepo,
} from './stored-uplinks.repo.ts';

export interface DecodeAnewOptions {
  readonly stored: StoredUplinksRepo;
  /** There are stored uplinks to be decoded once more. */
  readonly wakeDecoding: () => void;
  readonly now: () => Date;
  readonly pollMs?: number;
}

const POLL_MS = 1000;
const KEPT_DAYS = 7;

/**
 * A sensor's kept uplinks decoded once more: they are put in the queue of what waits for its codec, which stores each in a transaction
 * with its count, and the job follows those counts. Begun again it finds them queued, and only follows.
 */
export function decodeAnewJob({ stored, wakeDecoding, now, pollMs = POLL_MS }: DecodeAnewOptions) {
  return defineLongJob({
    name: DECODE_ANEW_JOB,
    payload: Type.Object({ deviceId: Type.Integer(), run: Type.Integer() }),
    keptDays: KEPT_DAYS,

    async run({ farmId, payload, signal, progress }) {
      const { deviceId, run } = payload;
      await stored.beginAnew(farmId, payload, now());
      wakeDecoding();
      for (;;) {
        const anew = await stored.anew(farmId, deviceId);
        if (!anew) throw new JobCancelled('The sensor is gone, or its farm.');
        if (anew.run !== run) throw new JobCancelled('It was asked for again.');
        const { total, done, changed, failed, problem } = anew;
        progress(total === 0 ? 1 : done / total, progressText(anew));
        if (anew.finished_at) return { total, done, changed, failed, problem };
        await sleep(pollMs, undefined, { signal });
      }
    },

    cancelled: (payload, { farmId }, trx, at) => createStoredUplinksRepo(trx).endAnew(farmId, payload, at),
  });
}

const number = new Intl.NumberFormat('en-NZ');

const progressText = ({ total, done, failed }: AnewRow): string =>
  `${number.format(done)} of ${number.format(total)} messages are decoded anew${failed > 0 ? `, ${number.format(failed)} of them could not be read` : ''}.`;
