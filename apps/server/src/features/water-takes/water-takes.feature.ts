import type { Core, Feature } from '../../feature.ts';
import { RAW_RETENTION_DAYS } from '@headrace/contract/limits';
import { PRINTED } from '@headrace/contract/reports';
import { readGaps } from '../device-connections/listening.ts';
import { createPrinter } from '../reports/printer.ts';
import { DAY_MS } from '@headrace/contract/rules/water-take/clock';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { packJob } from './pack-job.ts';
import { createPacksRepo } from './packs.repo.ts';
import { createPacksService } from './packs.service.ts';
import { createReckoner } from './reckoner.ts';
import { countSaid, readMeterVolumes, readSaid } from './take-volumes.ts';
import { createReportsRepo } from '../reports/reports.repo.ts';
import { createTakeNotesRepo } from './take-notes.repo.ts';
import { createTakeNotesService } from './take-notes.service.ts';
import { createTakenService } from './taken.service.ts';
import { createTakeWatch, type TakeWatch } from './take-watch.ts';
import { createTakesRepo } from './takes.repo.ts';
import { createTakesService, type TakesService } from './takes.service.ts';
import { waterTakesRoutes } from './water-takes.routes.ts';

/** A pack of most readings, made on a machine with much else to do. */
const PACK_S = 600;
/** An eighth of what a long PDF has: a pack takes no longer by it, and less memory. */
const PACK_YOUNG_MB = 2;

export interface WaterTakesFeature extends Feature {
  /** What alerts ask. */
  readonly watch: TakeWatch;
  readonly service: Pick<TakesService, 'list'>;
}

/** Consents to take water, and the evidence of what was taken. */
export function createWaterTakesFeature(
  { db, ofJobs, now }: Core,
  { rawRetentionDays = RAW_RETENTION_DAYS }: { rawRetentionDays?: number },
): WaterTakesFeature {
  const repo = createTakesRepo(db);
  const notesRepo = createTakeNotesRepo(db);
  const takes = createTakesService(repo);
  const notes = createTakeNotesService(repo, notesRepo, takes);
  const { reckon, close: closeReckoner } = createReckoner();
  const taken = createTakenService({
    takes,
    notes: notesRepo,
    read: (farmId, take, range, now) =>
      readMeterVolumes(db, farmId, take, range, {
        reckon,
        now,
        keptSince: now.getTime() - rawRetentionDays * DAY_MS,
      }),
    said: (farmId, take, range, now) => readSaid(db, farmId, take, range, now),
    count: (farmId, takeId, range) => countSaid(db, farmId, takeId, range),
    outages: (now) => readGaps(db, now),
    retentionDays: rawRetentionDays,
  });
  const printer = createPrinter(
    { ...PRINTED, atOnce: 1, seconds: PACK_S, young: PACK_YOUNG_MB },
    'The pack takes too long or too much memory: ask for fewer days.',
  );
  const packs = createPacksService({
    taken,
    takes,
    repo: createPacksRepo(db),
    people: createReportsRepo(db),
    printer,
  });
  const packsOfJobs = createPacksRepo(ofJobs.db);
  return {
    service: takes,
    watch: createTakeWatch({ takes: repo.takes, account: taken.account }),
    routes: (mount) => waterTakesRoutes(mount, { takes, notes, taken, packs }),
    longJobs: [packJob({ repo: packsOfJobs, packs, now })],
    jobs: [{ name: 'packs that are too old', everyMs: EACH_HOUR, run: () => packsOfJobs.purge(now()) }],
    settle: async () => void (await Promise.all([printer.close(), closeReckoner()])),
  };
}
