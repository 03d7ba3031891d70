import type { Findings } from '@headrace/contract/rules/attention';
import type { TankSummary } from '@headrace/contract/tanks';
import type { FarmRow } from '../../db/schema.ts';
import type { InsightsService } from '../insights/insights.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import type { TanksService } from '../tanks/tanks.service.ts';
import type { WatchRepo } from './watch.repo.ts';

export interface ViewSources {
  readonly repo: WatchRepo;
  readonly sprinklers: Pick<SprinklerStatusService, 'withRows' | 'limits'>;
  readonly tanks: Pick<TanksService, 'summaries'>;
  readonly insights: Pick<InsightsService, 'findings'>;
}

/** A farm as alerts look at it, each part read when the first of them asks for it. */
export interface FarmView {
  readonly farm: FarmRow;
  /** Epoch ms. */
  readonly now: number;
  /** Since when this server looks: what was said before it, nobody may have heard. Epoch ms. */
  readonly since: number;
  sensors(): ReturnType<WatchRepo['sensors']>;
  contacts(): ReturnType<WatchRepo['contacts']>;
  openValves(): ReturnType<WatchRepo['openValves']>;
  units(): ReturnType<SprinklerStatusService['withRows']>;
  limits(): ReturnType<SprinklerStatusService['limits']>;
  tanks(): Promise<TankSummary[]>;
  findings(): Promise<Findings>;
}

export function farmView(farm: FarmRow, at: Date, since: number, sources: ViewSources): FarmView {
  const { repo, sprinklers, tanks, insights } = sources;
  return {
    farm,
    now: at.getTime(),
    since,
    sensors: once(() => repo.sensors(farm.id)),
    contacts: once(() => repo.contacts(farm.id)),
    openValves: once(() => repo.openValves(farm.id)),
    units: once(() => sprinklers.withRows(farm, at)),
    limits: once(() => sprinklers.limits(farm.id)),
    tanks: once(() => tanks.summaries(farm, at)),
    findings: once(() => insights.findings(farm, at)),
  };
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= read());
}
