import type { TankSummary } from '@headrace/contract/tanks';
import type { Forecast } from '@headrace/contract/weather';
import type { FarmRow } from '../../db/schema.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { InsightsService } from '../insights/insights.service.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import type { TanksService } from '../tanks/tanks.service.ts';
import type { TakeWatch } from '../water-takes/take-watch.ts';
import type { RuleRow } from './observation.ts';
import { type Parents, readParents } from './parents.ts';
import type { WatchRepo } from './watch.repo.ts';

/** Whose forecast it is, alerts don't ask. */
export interface ForecastSource {
  forecast(farm: FarmRow, now: Date): Promise<Forecast | null>;
}

export interface ViewSources {
  readonly repo: WatchRepo;
  readonly sprinklers: Pick<SprinklerStatusService, 'withRows' | 'limits'>;
  readonly tanks: Pick<TanksService, 'summaries'>;
  readonly insights: Pick<InsightsService, 'findings'>;
  readonly flow: Pick<FlowService, 'metersNow'>;
  readonly weather: ForecastSource;
  readonly diary: Pick<IrrDiaryService, 'lastTroubles'>;
  readonly takes: TakeWatch;
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
  /** When its gateways were heard: what a look needs of a farm whose devices are all there. */
  gateways(): ReturnType<WatchRepo['contacts']>;
  /** When nobody listened to devices. */
  gaps(): ReturnType<WatchRepo['gaps']>;
  /** Gateways, network servers and repeaters, whether they are there, and what is heard through them. */
  parents(): Promise<Parents>;
  /** The farm's alerts that tell of silence. */
  readonly silenceRules: readonly RuleRow[];
  openValves(): ReturnType<WatchRepo['openValves']>;
  units(): ReturnType<SprinklerStatusService['withRows']>;
  /** What these sprinklers were told to water by, and whether that is still on its way. */
  sentSchedules(deviceIds: readonly number[]): ReturnType<WatchRepo['sentSchedules']>;
  limits(): ReturnType<SprinklerStatusService['limits']>;
  tanks(): Promise<TankSummary[]>;
  findings(): ReturnType<InsightsService['findings']>;
  meters(): ReturnType<FlowService['metersNow']>;
  forecast(): Promise<Forecast | null>;
  /** Of the last watering that is over, what was missed or cut short. */
  lastWatering(): ReturnType<IrrDiaryService['lastTroubles']>;
  /** What was taken of the limits of the farm's water takes, today and in the days before. */
  takenLately(): ReturnType<TakeWatch['lately']>;
  /** What is missing of the farm's water takes on a day of standard time that begins then; silent are meters that were so at a time. */
  takesMissing(day: number, asOf: number): ReturnType<TakeWatch['missingOn']>;
  /** When parts of the farm as a whole were last told by an alert, since then. */
  noticesOfFarm(ruleId: number, since: Date): ReturnType<WatchRepo['noticesOfFarm']>;
  /** Commands to many that ended since then and did not reach all, and that the alert has not told. */
  failedCommands(ruleId: number, since: Date): ReturnType<WatchRepo['failedCommands']>;
}

export function farmView(
  farm: FarmRow,
  at: Date,
  { since, rules }: { since: number; rules: readonly RuleRow[] },
  sources: ViewSources,
): FarmView {
  const { repo, sprinklers, tanks, insights, flow, weather, diary, takes } = sources;
  const view: FarmView = {
    farm,
    now: at.getTime(),
    since,
    sensors: once(() => repo.sensors(farm.id)),
    contacts: once(() => repo.contacts(farm.id)),
    gateways: once(() => repo.contacts(farm.id, 'gateway')),
    gaps: once(() => repo.gaps(at)),
    parents: once(() => readParents(view, repo)),
    silenceRules: rules.filter(({ farm_id, kind }) => farm_id === farm.id && kind === 'OutOfContact'),
    openValves: once(() => repo.openValves(farm.id, at.getTime())),
    units: once(() => sprinklers.withRows(farm, at)),
    sentSchedules: (deviceIds) => repo.sentSchedules(farm.id, deviceIds, at.getTime()),
    limits: once(() => sprinklers.limits(farm.id)),
    tanks: once(() => tanks.summaries(farm, at)),
    findings: once(() => insights.findings(farm, at)),
    meters: once(() => flow.metersNow(farm, at)),
    forecast: once(() => weather.forecast(farm, at)),
    lastWatering: once(() => diary.lastTroubles(farm, at)),
    takenLately: once(() => takes.lately(farm, at)),
    takesMissing: (day, asOf) => takes.missingOn(farm, { day, asOf }, at),
    noticesOfFarm: (ruleId, told) => repo.noticesOfFarm(farm.id, ruleId, told),
    failedCommands: (ruleId, since) => repo.failedCommands(farm.id, ruleId, since),
  };
  return view;
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => (found ??= read());
}
