import type { Timezone } from '@headrace/contract/farms';
import type { FlowSummary, MeterHistory } from '@headrace/contract/flow';
import { FLOW_HISTORY_DAYS } from '@headrace/contract/limits';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { flowValue } from '@headrace/contract/rules/flow';
import { isOutOfContact } from '@headrace/contract/rules/tank';
import type { FlowPoint } from '@headrace/contract/tanks';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { bucketRange } from '../series/buckets.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { rounded } from '../series/row-values.ts';
import { historyRange, meanSpan, type Period } from '../series/history-range.ts';
import { type LatestValues, statusTimeOf } from '../series/latest-values.ts';
import type { Range } from '../series/rollup-query.ts';
import { pickSeries } from '../series/series-limits.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { countNow, flowNow, type FlowNow, type MeterSeries } from './meter.ts';
import { type Cut, flowInSteps, litresBetween, metered, type Steps } from './metered.ts';
import type { FlowRepo } from './flow.repo.ts';
import { createMeterReads } from './meter-reads.ts';

/** What flowed in a time, with when the newest of it was read, epoch ms. Null: nothing is known of it. */
export interface FlowSum {
  litres: number | null;
  at: number | null;
}

export type MeterNow = Omit<FlowSummary, 'value' | 'history'> & { litresPerSecond: number | null };

/** L/s in each step. */
export interface MeterInSteps {
  uid: string;
  name: string;
  lps: (number | null)[];
}

/** A ten-thousandth of a litre a second is 9 L a day. */
const roundedFlow = (litrePerSecond: number) => Math.round(litrePerSecond * 10_000) / 10_000;
const perSecond = (litrePerMinute: number | null) => (litrePerMinute === null ? null : litrePerMinute / 60);
const nothing: LatestValues = new Map();

export function createFlowService(flow: FlowRepo) {
  const latestOf = async (device: DeviceRow): Promise<LatestValues> =>
    (await flow.latest(device.farm_id, [device.id])).get(device.id) ?? nothing;

  /** From a moment on: a reading before it says nothing of the time before. */
  async function litresSince(device: DeviceRow, latest: LatestValues, range: Range) {
    if (range.from >= range.to) return [];
    const series = startingAt(await flow.series(device, latest, 'reading', range), range.from);
    return litresBetween(device, series, range) ?? [];
  }

  async function litresByHour(zone: Timezone, device: DeviceRow, latest: LatestValues, range: Range) {
    if (range.from >= range.to) return [];
    const series = await flow.series(device, latest, 'hour', range);
    return metered(device, series, { span: 'hour', zone, range }).flatMap(({ litres, lastAt }) =>
      litres === null ? [] : { litres, lastAt },
    );
  }

  return {
    ...createMeterReads(flow),

    /**
     * Mean flow by hour (up to 60 days) or day, L/min: what the meter counted over time, else the flow that it told, weighted
     * by time. No point where nothing is known, a zero where nothing flowed.
     */
    async history(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<FlowPoint[]> {
      if (device.kind !== 'sensor') throw notFound();
      const { cut, range } = cutOf(farm, period, now);
      return flowPoints(device, await flow.device(device, cut.span, range), cut);
    },

    /** The same of each of the farm's meters, by name; a fixed number of queries, however many there are. */
    async histories(farm: FarmRow, period: Period, now: Date): Promise<MeterHistory[]> {
      const { cut, range } = cutOf(farm, period, now);
      const meters = await flow.meters(farm.id);
      const latest = await flow.latest(
        farm.id,
        meters.map(({ id }) => id),
      );
      const rollups = await flow.rollups({ span: cut.span, farmId: farm.id, range }, meters, latest);
      return sortedByName(meters).map((device) => {
        const series = pickSeries(rollups, latest.get(device.id));
        return { _id: device.uid, history: flowPoints(device, series, cut) };
      });
    },

    /** The farm's meters by name; a fixed number of queries, however many there are. */
    async summaries(farm: FarmRow, now: Date): Promise<FlowSummary[]> {
      const zone = toZone(farm);
      const today = dayStart(zone, now.getTime());
      const meters = await flow.meters(farm.id);
      const latest = await flow.latest(
        farm.id,
        meters.map(({ id }) => id),
      );
      const range = { from: addDays(zone, today, 1 - FLOW_HISTORY_DAYS), to: now.getTime() + 1 };
      const counted = [...latest.values()].flatMap((values) => countNow(values) ?? []);
      const [earlier, days] = await Promise.all([
        flow.earlier(farm.id, counted),
        flow.rollups({ span: 'day', farmId: farm.id, range }, meters, latest),
      ]);
      return sortedByName(meters).map((device) => {
        const values = latest.get(device.id) ?? nothing;
        const flowing = flowNow(device, values, earlier.get(countNow(values)?.seriesId ?? 0));
        const history = dailyFlows(zone, today, device, pickSeries(days, values), range);
        return toSummary(device, values, flowing, history, now.getTime());
      });
    },

    /** How the farm's meters are and what flows through them: without history, for a farm's card. */
    async metersNow(farm: FarmRow, now: Date): Promise<MeterNow[]> {
      const meters = await flow.meters(farm.id);
      const latest = await flow.latest(
        farm.id,
        meters.map(({ id }) => id),
      );
      const counted = [...latest.values()].flatMap((values) => countNow(values) ?? []);
      const earlier = await flow.earlier(farm.id, counted);
      return sortedByName(meters).map((device) => {
        const values = latest.get(device.id) ?? nothing;
        const flowing = flowNow(device, values, earlier.get(countNow(values)?.seriesId ?? 0));
        const { value, history: _, ...meter } = toSummary(device, values, flowing, [], now.getTime());
        return { ...meter, litresPerSecond: value.litresPerSecond };
      });
    },

    /**
     * Mean flow of each of the farm's meters in steps of a time, L/s, by name; null: not known. Of more than two days it is made of
     * hours, so that a step has its share of one.
     */
    async inSteps(farm: FarmRow, steps: Steps, now: Date): Promise<MeterInSteps[]> {
      const range = {
        from: steps.from,
        to: Math.min(steps.from + steps.steps * steps.stepMs, now.getTime() + 1),
      };
      if (range.from >= range.to) return [];
      const meters = await flow.meters(farm.id);
      const latest = await flow.latest(
        farm.id,
        meters.map(({ id }) => id),
      );
      const span = range.to - range.from > 2 * 86_400_000 ? 'hour' : 'reading';
      return Promise.all(
        sortedByName(meters).map(async (device) => {
          const series = await flow.series(device, latest.get(device.id) ?? nothing, span, range);
          const lps = flowInSteps(device, series, steps).map((value) => value && roundedFlow(value));
          return { uid: device.uid, name: device.name, lps };
        }),
      );
    },

    /** What flows through a meter, or through a tank unit with one. */
    async now(device: DeviceRow): Promise<FlowNow> {
      const latest = await latestOf(device);
      const counted = countNow(latest);
      const earlier = counted ? await flow.earlier(device.farm_id, [counted]) : null;
      return flowNow(device, latest, earlier?.get(counted?.seriesId ?? 0));
    },

    /**
     * Litres through a meter in [from, to) (epoch ms), from its last confirmed reset on: what it counted before that stays in
     * its history and is left out here. What lies between two readings lies evenly between them.
     */
    async accumulated(zone: Timezone, device: DeviceRow, range: Range): Promise<FlowSum> {
      const [latest, resetAt] = await Promise.all([latestOf(device), flow.lastReset(device)]);
      const isReset = resetAt !== null && resetAt > range.from;
      const wholeHours = isReset ? bucketRange(zone, 'hour', resetAt).to : range.from;
      const [afterReset, hours] = await Promise.all([
        isReset ? litresSince(device, latest, { from: resetAt, to: Math.min(wholeHours, range.to) }) : [],
        litresByHour(zone, device, latest, { from: wholeHours, to: range.to }),
      ]);
      const amounts = [afterReset, hours].flat();
      if (amounts.length === 0) return isReset ? { litres: 0, at: resetAt } : { litres: null, at: null };
      return {
        litres: rounded(amounts.reduce((sum, { litres }) => sum + litres, 0)),
        at: Math.max(...amounts.map(({ lastAt }) => lastAt)),
      };
    },
  };
}
export type FlowService = ReturnType<typeof createFlowService>;

function cutOf(farm: FarmRow, period: Period, now: Date) {
  const zone = toZone(farm);
  const range = historyRange(zone, period, now.getTime());
  return { range, cut: { span: meanSpan(range), zone, range } };
}

const roundedOrNull = (value: number | null) => (value === null ? null : rounded(value));

/** A first reading of a counter alone tells of no flow; one that can't be is told as such. */
function flowPoints(device: DeviceRow, series: MeterSeries, cut: Cut): FlowPoint[] {
  return metered(device, series, cut)
    .filter(({ litrePerMinute, isInvalid }) => litrePerMinute !== null || isInvalid)
    .map(({ at, litrePerMinute, litres, minutes, peak, isShared }) => ({
      time: isoTime(at),
      avgLitrePerMinute: roundedOrNull(litrePerMinute),
      litres: roundedOrNull(litres),
      minutes: rounded(minutes),
      peakLitrePerMinute: roundedOrNull(peak),
      generated: isShared,
    }));
}

/** A reading before `from` says nothing of the time before it. */
function startingAt(series: MeterSeries, from: number): MeterSeries {
  return (metric) => {
    const { before, ...rest } = series(metric);
    return { ...rest, before: before && { ...before, lastAt: Math.max(before.lastAt, from) } };
  };
}

/** One entry for each of the last 60 days with today, L/s. */
function dailyFlows(
  zone: Timezone,
  today: number,
  device: DeviceRow,
  days: MeterSeries,
  range: Range,
): FlowSummary['history'] {
  const means = new Map(
    metered(device, days, { span: 'day', zone, range }).map(({ at, litrePerMinute }) => [
      at,
      perSecond(litrePerMinute),
    ]),
  );
  return Array.from({ length: FLOW_HISTORY_DAYS }, (_, index) => {
    const at = addDays(zone, today, index + 1 - FLOW_HISTORY_DAYS);
    const mean = means.get(at) ?? null;
    return { time: isoTime(at), value: mean === null ? null : roundedFlow(mean) };
  });
}

function toSummary(
  device: DeviceRow,
  latest: LatestValues,
  { litrePerMinute, invalid }: FlowNow,
  history: FlowSummary['history'],
  now: number,
): FlowSummary {
  const statusTime = statusTimeOf(latest);
  return {
    _id: device.uid,
    name: device.name,
    serialNumber: device.serial_number,
    statusTime: statusTime === null ? null : isoTime(statusTime),
    isOutOfContact: isOutOfContact(statusTime, now),
    invalid,
    value: flowValue(perSecond(litrePerMinute)),
    history,
  };
}
