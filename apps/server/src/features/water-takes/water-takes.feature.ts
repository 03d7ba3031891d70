import type { Core, Feature } from '../../feature.ts';
import { RAW_RETENTION_DAYS } from '@headrace/contract/limits';
import { PRINTED } from '@headrace/contract/reports';
import { readGaps } from '../device-connections/listening.ts';
import { createPrinter } from '../reports/printer.ts';
import { createPacksService } from './packs.service.ts';
import { readTakeVolumes } from './take-volumes.ts';
import { createReportsRepo } from '../reports/reports.repo.ts';
import { createTakeNotesRepo } from './take-notes.repo.ts';
import { createTakeNotesService } from './take-notes.service.ts';
import { createTakenService } from './taken.service.ts';
import { createTakesRepo } from './takes.repo.ts';
import { createTakesService } from './takes.service.ts';
import { waterTakesRoutes } from './water-takes.routes.ts';

/** Consents to take water, and the evidence of what was taken. */
export function createWaterTakesFeature(
  { db }: Core,
  { rawRetentionDays = RAW_RETENTION_DAYS }: { rawRetentionDays?: number },
): Feature {
  const repo = createTakesRepo(db);
  const notesRepo = createTakeNotesRepo(db);
  const takes = createTakesService(repo);
  const notes = createTakeNotesService(repo, notesRepo, takes);
  const taken = createTakenService({
    takes,
    notes: notesRepo,
    volumes: (farmId, take, range, now) => readTakeVolumes(db, farmId, take, range, now),
    outages: (now) => readGaps(db, now),
    retentionDays: rawRetentionDays,
  });
  const printer = createPrinter({ ...PRINTED, atOnce: 1 });
  const packs = createPacksService({ taken, people: createReportsRepo(db), printer });
  return {
    routes: (mount) => waterTakesRoutes(mount, { takes, notes, taken, packs }),
    settle: () => printer.close(),
  };
}
