import type { Db } from '../../db/client.ts';
import type { Core, Feature } from '../../feature.ts';
import { createBackground } from '../../jobs/background.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { createAdviceEntries } from './advice-entries.service.ts';
import { createAdviceWriter } from './advice-writer.repo.ts';
import { createAdviceRepo } from './advice.repo.ts';
import { type AdviceParts, createAdviceService } from './advice.service.ts';
import { createDayNotes } from './day-notes.ts';
import { irrigationAdviceRoutes } from './irrigation-advice.routes.ts';
import { createReckonLater } from './reckon-later.ts';
import { createSeasonService, type SeasonService } from './season.service.ts';

type Sources = Omit<AdviceParts, 'repo'>;
/** The features that it reads from. */
type Services = { readonly [K in keyof Sources]: { readonly service: Sources[K] } };

export interface IrrigationAdviceFeature extends Feature {
  /** What reports of a season ask. */
  readonly season: SeasonService;
}

/** What groups need now, by a water balance. It sends nothing. */
export function createIrrigationAdviceFeature(
  { db, ofJobs, now, log }: Core,
  { diary, soil, weather }: Services,
): IrrigationAdviceFeature {
  const sources = { diary: diary.service, soil: soil.service, weather: weather.service };
  const repo = createAdviceRepo(db);
  const { advice, writer } = partsOn(db, sources);
  const ofJob = partsOn(ofJobs.db, sources);
  const background = createBackground(log);
  const entries = createAdviceEntries(repo, writer, createReckonLater(ofJobs.db, ofJob.notes, background));
  return {
    season: createSeasonService({ db, ofJobs: ofJobs.db, ...sources, background }),
    routes: (mount) => irrigationAdviceRoutes(mount, advice, entries),
    jobs: [{ name: 'irrigation advice', everyMs: EACH_HOUR, run: () => ofJob.notes.noteAll(now()) }],
    settle: () => background.settled(),
  };
}

function partsOn(db: Db, sources: Sources) {
  const repo = createAdviceRepo(db);
  const writer = createAdviceWriter(db);
  const advice = createAdviceService({ repo, ...sources });
  return { advice, writer, notes: createDayNotes({ repo, writer, advice, ...sources }) };
}
