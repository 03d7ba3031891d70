import type { Timezone } from '@headrace/contract/farms';
import type { FlowSummary, MeterHistory } from '@headrace/contract/flow';
import { FLOW_HISTORY_DAYS } from '@headrace/contract/limits';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { flowValue } from '@headrace/contract/rules/flow';
import { isOutOfContact } from '@headrace/contract/rules/tank';
import type { FlowPoint } from '@headrace/contract/tanks';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { toZone } from '../farms/farm-zone.ts';
import { bucketRange } from '../readings/buckets.ts';
import { isoTime, rounded } from '../tanks/history-points.ts';
import { historyRange, meanSpan, type Period } from '../tanks/history-range.ts';
import type { LatestValues } from '../tanks/latest-values.ts';
import type { Range } from '../tanks/rollup-query.ts';
import { pickSeries } from '../tanks/series-limits.ts';
import { sortedByName } from '../tanks/sorted-by-name.ts';
import { statusTimeOf } from '../tanks/tank-summary.ts';
import { countNow, flowNow, type FlowNow, litresThrough, meanFlows, type MeterSeries } from './meter.ts';
import type { FlowRepo } from './flow.repo.ts';

/** What flowed in a time, with when the newest of it was read, epoch ms. Null: nothing is known of it. */
export interface FlowSum {
  litres: number | null;
  at: number | null;
}

/** A ten-thousandth of a litre a second is 9 L a day. */
const roundedFlow = (litrePerSecond: number) => Math.round(litrePerSecond * 10_000) / 10_000;
const perSecond = (litrePerMinute: number | null) => (litrePerMinute === null ? null : litrePerMinute / 60);
const nothing: LatestValues = new Map();

export function createFlowService(flow: FlowRepo) {
  const latestOf = async (device: DeviceRow): Promise<LatestValues> =>
    (await flow.latest(device.farm_id, [device.id])).get(device.id) ?? nothing;

  async function litresIn(device: DeviceRow, latest: LatestValues, span: 'reading' | 'hour', range: Range) {
    if (range.from >= range.to) return [];
    const series = await flow.series(device, latest, span, range);
    return litresThrough(device, span === 'reading' ? startingAt(series, range.from) : series);
  }

  return {
    /**
     * Mean flow by hour (up to 60 days) or day, L/min: what the meter reports as flow, else what it counted over the time
     * since the reading before. No point where the meter was silent, a zero where it said that nothing flowed.
     */
    async history(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<FlowPoint[]> {
      if (device.kind !== 'sensor') throw notFound();
      const range = historyRange(toZone(farm), period, now.getTime());
      const series = await flow.series(device, await latestOf(device), meanSpan(range), range);
      return flowPoints(device, series);
    },

    /** The same of each of the farm's meters, by name; a fixed number of queries, however many there are. */
    async histories(farm: FarmRow, period: Period, now: Date): Promise<MeterHistory[]> {
      const range = historyRange(toZone(farm), period, now.getTime());
      const meters = await flow.meters(farm.id);
      const latest = await flow.latest(
        farm.id,
        meters.map(({ id }) => id),
      );
      const rollups = await flow.rollups({ span: meanSpan(range), farmId: farm.id, range }, meters, latest);
      return sortedByName(meters).map((device) => {
        const series = pickSeries(rollups, latest.get(device.id));
        return { _id: device.uid, history: flowPoints(device, series) };
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
        const history = dailyFlows(zone, today, device, pickSeries(days, values));
        return toSummary(device, values, flowing, history, now.getTime());
      });
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
     * its history and is left out here. What lies between two readings counts where the later one lies.
     */
    async accumulated(zone: Timezone, device: DeviceRow, range: Range): Promise<FlowSum> {
      const [latest, resetAt] = await Promise.all([latestOf(device), flow.lastReset(device)]);
      const isReset = resetAt !== null && resetAt > range.from;
      const wholeHours = isReset ? bucketRange(zone, 'hour', resetAt).to : range.from;
      const [afterReset, hours] = await Promise.all([
        isReset
          ? litresIn(device, latest, 'reading', { from: resetAt, to: Math.min(wholeHours, range.to) })
          : [],
        litresIn(device, latest, 'hour', { from: wholeHours, to: range.to }),
      ]);
      const amounts = [...afterReset, ...hours];
      if (amounts.length === 0) return isReset ? { litres: 0, at: resetAt } : { litres: null, at: null };
      return {
        litres: amounts.reduce((sum, { litres }) => sum + litres, 0),
        at: Math.max(...amounts.map(({ lastAt }) => lastAt)),
      };
    },
  };
}
export type FlowService = ReturnType<typeof createFlowService>;

function flowPoints(device: DeviceRow, series: MeterSeries): FlowPoint[] {
  return meanFlows(device, series).map(({ at, litrePerMinute }) => ({
    time: isoTime(at),
    avgLitrePerMinute: litrePerMinute === null ? null : rounded(litrePerMinute),
  }));
}

/** A reading before `from` says nothing of the time before it. */
function startingAt(series: MeterSeries, from: number): MeterSeries {
  return (metric) => {
    const { before, rows } = series(metric);
    return { before: before && { ...before, lastAt: Math.max(before.lastAt, from) }, rows };
  };
}

/** One entry for each of the last 60 days with today, L/s. */
function dailyFlows(
  zone: Timezone,
  today: number,
  device: DeviceRow,
  days: MeterSeries,
): FlowSummary['history'] {
  const means = new Map(
    meanFlows(device, days).map(({ at, litrePerMinute }) => [at, perSecond(litrePerMinute)]),
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
