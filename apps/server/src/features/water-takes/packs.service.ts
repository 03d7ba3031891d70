import { APP_VERSION } from '@headrace/contract/limits';
import type { BodyOf, QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import {
  type filledRows,
  type MadePack,
  type makeTakePack,
  PACKS,
  TAKE_DAYS,
  type takePack as takePackEndpoint,
} from '@headrace/contract/water-takes';
import { packPages } from '@headrace/paper/reports/pack-pages';
import { standardName, takeDay } from '@headrace/contract/rules/water-take/clock';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { enqueueJob } from '../long-jobs/enqueue.ts';
import type { PackFeed } from '../reports/give-pages.ts';
import type { Printer } from '../reports/printer.ts';
import type { Missing, PacksRepo } from './packs.repo.ts';
import { PACK_JOB } from './pack-job.ts';
import type { TakenService } from './taken.service.ts';
import type { TakesService } from './takes.service.ts';

interface Parts {
  readonly taken: Pick<TakenService, 'pack' | 'packDays' | 'knownOf'>;
  readonly takes: Pick<TakesService, 'one'>;
  readonly repo: PacksRepo;
  readonly people: { personName(accountId: number): Promise<string> };
  readonly printer: Printer;
}

type Asked = Omit<QueryOf<typeof takePackEndpoint>, 'farmUID'>;
interface Making {
  /** Null: who asked for it is gone. */
  readonly accountId: number | null;
  readonly now: Date;
  /** Aborted when nobody wants it any more. */
  readonly over: AbortSignal;
  /** How far it is, 0 to 1, and what is done now. */
  readonly onStep?: (part: number, text: string) => void;
}

interface MadeFile {
  readonly fileName: string;
  readonly content: Uint8Array;
}
interface MadeNow extends MadeFile {
  readonly missing: Missing;
}

const DAY_MS = 86_400_000;

/** What a council is handed, in one file. */
export function createPacksService({ taken, takes, repo, people, printer }: Parts) {
  async function make(
    farm: FarmRow,
    query: Asked,
    most: number,
    { accountId, now, over, onStep = () => {} }: Making,
  ): Promise<MadeNow> {
    onStep(0.05, 'What the meters said is read.');
    printer.prepare();
    const { at, days, said, ...parts } = await taken.pack(farm, query, most, now);
    const by = accountId === null ? '' : await people.personName(accountId);
    onStep(0.4, 'It is reckoned, and the tables are written.');
    const { take, options, account } = parts;
    const { time, range } = account;
    const made = { farm: farm.name, zone: toZone(farm), by, at: at.getTime() };
    const [from, to] = [takeDay(time, range.from), takeDay(time, range.to - 1)];
    const asked = {
      headrace: APP_VERSION,
      farm: farm.name,
      consent: take.consentNo,
      from,
      to,
      standardTime: standardName(time),
      asOf: at.toISOString(),
      options,
    };
    const meters = said.map(({ meter }) => meter);
    let missing: Missing = [];
    const feed: PackFeed = {
      pages: packPages({ days, said }),
      onStep,
      onMissing: (times) => (missing = times),
    };
    const content = await printer.pack({ kind: 'pack', ...parts, meters, made, asked }, feed, over);
    return { fileName: `water-take-${take.consentNo}-${from}-${to}.zip`, content, missing };
  }

  return {
    /** The same question gives the same bytes while nothing came since. Throws what the figures' own calls throw. */
    pack: (farm: FarmRow, query: Asked, by: Making): Promise<MadeFile> =>
      make(farm, query, TAKE_DAYS.pack, by),

    /** The same of up to a year. */
    made: (farm: FarmRow, query: Asked, by: Making): Promise<MadeNow> =>
      make(farm, query, TAKE_DAYS.longPack, by),

    /** Throws invalid for days that can't be, conflict where the farm has too many. */
    async ask(
      farm: FarmRow,
      { uid, codes = true, gapsLeftOut = false, ...days }: Omit<BodyOf<typeof makeTakePack>, 'farmUID'>,
      { accountId, now }: { readonly accountId: number; readonly now: Date },
    ): Promise<{ id: string }> {
      const take = await takes.one(farm, uid);
      const { from, to } = taken.packDays(farm, days, now);
      const id = newUid(now);
      await repo.inTransaction(farm.id, async (trx) => {
        if ((await repo.count(farm.id, trx)) >= PACKS.most)
          throw conflict(
            `${PACKS.most} packs of this farm are kept. Each goes ${PACKS.keptDays} days after it was asked for.`,
          );
        const owner = { farmId: farm.id, accountId };
        const jobUid = await enqueueJob(trx, { name: PACK_JOB }, { packUid: id }, owner, now);
        await repo.add(trx, {
          farm_id: farm.id,
          uid: id,
          take_id: take.id,
          from_day: from,
          to_day: to,
          codes,
          gaps_left_out: gapsLeftOut,
          account_id: accountId,
          asked_at: now,
          job_uid: jobUid,
          kept_until: new Date(now.getTime() + PACKS.keptDays * DAY_MS),
        });
      });
      return { id };
    },

    /** Packs that would have more if they were made now. */
    async filled(farm: FarmRow, uid: string, now: Date): Promise<ReplyOf<typeof filledRows>> {
      const take = await takes.one(farm, uid);
      const filled: { id: string; rows: number }[] = [];
      for (const { uid: id, missing } of await repo.ofGaps(farm.id, take.id)) {
        const rows = await taken.knownOf(farm, take, missing ?? [], now);
        if (rows > 0) filled.push({ id, rows });
      }
      return { filled };
    },

    async list(farm: FarmRow, uid: string, accountId: number): Promise<{ packs: MadePack[] }> {
      const take = await takes.one(farm, uid);
      const rows = await repo.ofTake(farm.id, take.id);
      const mayCancel = (row: { account_id: number | null }) =>
        accountId === farm.owner_id || accountId === row.account_id;
      return { packs: rows.map((row) => ({ ...present(row), mayCancel: mayCancel(row) })) };
    },

    /** Throws notFound, also while it isn't made. */
    async file(farm: FarmRow, id: string): Promise<MadeFile> {
      const pack = await repo.one(farm.id, id.toLowerCase());
      if (!pack?.content || pack.file_name === null) throw notFound();
      return { fileName: pack.file_name, content: pack.content };
    },
  };
}
export type PacksService = ReturnType<typeof createPacksService>;

const present = (row: Awaited<ReturnType<PacksRepo['ofTake']>>[number]): Omit<MadePack, 'mayCancel'> => ({
  id: row.uid,
  jobId: row.job_uid,
  from: row.from_day,
  to: row.to_day,
  codes: row.codes,
  gapsLeftOut: row.gaps_left_out,
  by: row.by,
  askedAt: row.asked_at.toISOString(),
  state: row.bytes === null ? (row.state ?? 'failed') : 'done',
  progress: row.bytes === null ? (row.progress ?? 0) : 1,
  progressText: row.progress_text ?? '',
  error: row.error ?? '',
  bytes: row.bytes,
  keptUntil: row.kept_until.toISOString(),
});
