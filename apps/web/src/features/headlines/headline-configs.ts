import { HEADLINE_SLOTS, headlineTypes, type HeadlineType } from '@headrace/contract/default-settings';
import { flowFactors, type FlowUnit } from '@headrace/contract/rules/flow';
import {
  flowDays,
  headlineRanges,
  ioPorts,
  metricsOf,
  tankFlowSums,
  tankUnits,
  type FlowDays,
  type IoPort,
  type TankFlowMetric,
  type TankFlowSum,
  type TankUnit,
} from '@headrace/contract/rules/headline-options';
import type { Headline as StoredHeadline, Settings } from '@headrace/contract/settings';

/** What each kind is told of. `sensor` and `site` are ids; empty while none is chosen. */
export interface HeadlineConfigs {
  Empty: object;
  None: object;
  Temperature: { site: string; time: number };
  RainfallAccumulated: { site: string; days: number };
  RainForecast: { days: number };
  TankLevel: { sensor: string; unit: TankUnit };
  TankFlow: { sensor: string; sumType: TankFlowSum; metric: TankFlowMetric };
  Flow: { sensor: string; unit: FlowUnit };
  AccumulatedFlow: { sensor: string; days: FlowDays };
  IO: { port: IoPort };
  LocalTime: object;
  /** One metric of a sensor; empty while none is chosen. */
  Metric: { sensor: string; metric: string };
}

export type HeadlineOf<T extends HeadlineType> = { type: T; configs: HeadlineConfigs[T] };
/** What stands in one slot. */
export type Headline = { [T in HeadlineType]: HeadlineOf<T> }[HeadlineType];

export const flowUnits = Object.keys(flowFactors) as [FlowUnit, ...FlowUnit[]];

type Fields = Record<string, unknown>;
const uidOf = (value: unknown) => (typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? value : '');
const metricOf = (value: unknown) =>
  typeof value === 'string' && /^[a-z][A-Za-z0-9.-]{0,63}$/.test(value) ? value : '';
const oneOf = <T extends string>(allowed: readonly [T, ...T[]], value: unknown): T =>
  allowed.find((one) => one === value) ?? allowed[0];
const within = (range: { min: number; max: number; default: number }, value: unknown): number =>
  Number.isInteger(value) && Number(value) >= range.min && Number(value) <= range.max
    ? Number(value)
    : range.default;

/** Stored options as they can be used: what is missing or isn't understood is what a new headline starts with. */
const readers: { [T in HeadlineType]: (stored: Fields) => HeadlineConfigs[T] } = {
  Empty: () => ({}),
  None: () => ({}),
  Temperature: ({ site, time }) => ({ site: uidOf(site), time: within(headlineRanges.time, time) }),
  RainfallAccumulated: ({ site, days }) => ({
    site: uidOf(site),
    days: within(headlineRanges.rainDaysBack, days),
  }),
  RainForecast: ({ days }) => ({ days: within(headlineRanges.forecastDays, days) }),
  TankLevel: ({ sensor, unit }) => ({ sensor: uidOf(sensor), unit: oneOf(tankUnits, unit) }),
  TankFlow: ({ sensor, sumType, metric }) => {
    const sum = oneOf(tankFlowSums, sumType);
    return { sensor: uidOf(sensor), sumType: sum, metric: oneOf(metricsOf[sum], metric) };
  },
  Flow: ({ sensor, unit }) => ({ sensor: uidOf(sensor), unit: oneOf(flowUnits, unit) }),
  AccumulatedFlow: ({ sensor, days }) => ({ sensor: uidOf(sensor), days: oneOf(flowDays, days) }),
  IO: ({ port }) => ({ port: oneOf(ioPorts, port) }),
  LocalTime: () => ({}),
  Metric: ({ sensor, metric }) => ({ sensor: uidOf(sensor), metric: metricOf(metric) }),
};

/** A headline of this kind with these options, and the usual ones for the others. */
export function headlineOf(type: HeadlineType, options: object = {}): Headline {
  return { type, configs: readers[type](options as Fields) } as Headline;
}

const typeNames = new Map(
  Object.entries(headlineTypes).map(([name, number]) => [number as number, name as HeadlineType]),
);

const storedOf = (settings: Settings, farmUID: string): readonly StoredHeadline[] =>
  settings.farms?.find(({ info }) => info.id === farmUID)?.headlines ?? settings.headlines ?? [];

/** A slot of the row, and what stands in it. */
export type Slot = Headline & { readonly position: number };

/** What stands in the farm's slots, from the first to the fourth. */
export function headlinesOf(settings: Settings, farmUID: string): Slot[] {
  const stored = storedOf(settings, farmUID);
  return Array.from({ length: HEADLINE_SLOTS }, (_, position) => {
    const found = stored.find((entry) => entry.position === position);
    const type = typeNames.get(found?.type ?? headlineTypes.Empty) ?? 'Empty';
    return { ...headlineOf(type, found?.configs), position };
  });
}

export const isShown = ({ type }: Headline): boolean => type !== 'Empty' && type !== 'None';

/** The farm's stored headlines with another one in a slot; the other slots stay as they were stored. */
export function withHeadline(
  settings: Settings,
  farmUID: string,
  position: number,
  { type, configs }: Headline,
): StoredHeadline[] {
  const others = storedOf(settings, farmUID).filter((entry) => entry.position !== position);
  const slot = { position, type: headlineTypes[type], configs: { ...configs } };
  return [...others, slot].sort((a, b) => a.position - b.position);
}

/** The farm's stored headlines with two slots exchanged. */
export function exchanged(settings: Settings, farmUID: string, from: number, to: number): StoredHeadline[] {
  const place = (position: number) => (position === from ? to : position === to ? from : position);
  return storedOf(settings, farmUID)
    .map((entry) => ({ ...entry, position: place(entry.position) }))
    .sort((a, b) => a.position - b.position);
}
