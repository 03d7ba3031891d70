import type { Core, Feature } from '../../feature.ts';
import type { FlowService } from '../flow/flow.service.ts';
import { createDiaryFactsRepo } from './diary-facts.repo.ts';
import { createDiaryReader } from './diary-reader.ts';
import { createDiaryTroublesRepo } from './diary-troubles.repo.ts';
import { createDiaryUnitsRepo } from './diary-units.repo.ts';
import { createIrrDiaryService, type IrrDiaryService } from './irr-diary.service.ts';
import { irrDiaryRoutes } from './irr-diary.routes.ts';
import { createLastRounds } from './last-rounds.ts';

export interface IrrDiaryFeature extends Feature {
  readonly service: IrrDiaryService;
}

/** What was watered, and why not. */
export function createIrrDiaryFeature({ db }: Core, flow: FlowService): IrrDiaryFeature {
  const units = createDiaryUnitsRepo(db);
  const facts = createDiaryFactsRepo(db);
  const reader = createDiaryReader({ units, facts, troubles: createDiaryTroublesRepo(db) });
  const service = createIrrDiaryService({ reader, rounds: createLastRounds({ units, facts }), flow });
  return { service, routes: (mount) => irrDiaryRoutes(mount, service) };
}
