import type { MeterInsight, SiteInsight, TankInsight } from '@headrace/contract/insights';
import { isValidFlow } from '@headrace/contract/rules/flow';
import { type FlowHourMean, type Night, nightFall, nightFlow } from '@headrace/contract/rules/leak-watch';
import { pumpWatch } from '@headrace/contract/rules/pump-watch';
import { type Rolled, toTenth } from '@headrace/contract/rules/rolled';
import { stressBandsOf } from '@headrace/contract/rules/settings-farms';
import { isValidTension, mmOfTips } from '@headrace/contract/rules/soil-moisture';
import { mendBands } from '@headrace/contract/rules/stress-bands';
import { tankShape } from '@headrace/contract/rules/tank';
import { untilEmpty } from '@headrace/contract/rules/until-empty';
import { type SoilHour, untilRefill } from '@headrace/contract/rules/until-refill';
import type { Settings } from '@headrace/contract/settings';
import type { DeviceRow } from '../../db/schema.ts';
import { measuredFlow, meterMetrics } from '../flow/meter.ts';
import { type Cut, metered } from '../flow/metered.ts';
import { rainOf } from '../soil-moisture/soil-points.ts';
import { meanTension } from '../soil-moisture/soil-site.ts';
import { meanOfValid } from '../series/row-values.ts';
import type { LatestValues } from '../series/latest-values.ts';
import type { LevelUse } from '../tanks/level-use.ts';
import { emptySeries, type RollupSeries } from '../series/rollup-query.ts';
import { probeMetrics } from '../series/series-limits.ts';
import { flagOf } from '../tanks/tank-summary.ts';

/** What is known of one device; a metric that it never reported has no rows. */
export interface DeviceHistory {
  device: DeviceRow;
  latest: LatestValues;
  hours: (metric: string) => RollupSeries;
  days: (metric: string) => RollupSeries;
  /** What left a tank and came into it on these days, by its level. */
  uses: readonly LevelUse[];
  /** How the hours were cut. */
  hourly: Exclude<Cut, 'reading'>;
}

/** Nights that are over, newest first, and those of them in which one of the farm's relays was on. */
export interface Nights {
  nights: readonly Night[];
  drawn: readonly Night[];
  now: number;
}

/** The nights in which one of these relays was on. */
export const drawnNights = (nights: readonly Night[], relays: readonly (readonly Rolled[])[]): Night[] =>
  nights.filter(({ from, to }) =>
    relays.some((rows) => rows.some(({ at, max }) => at >= from && at < to && max > 0)),
  );

export function tankInsight(tank: DeviceHistory, { nights, drawn, now }: Nights): TankInsight {
  const { device, latest, hours, days, uses } = tank;
  const shape = tankShape(device.settings);
  const level = latest.get('levelMm');
  const levels = hours('levelMm').rows.filter(isKnown);
  const pumped = days('relayState').rows.filter(({ max }) => max > 0);
  const empty = untilEmpty(
    {
      shape,
      days: withUse(days('levelMm').rows.filter(isKnown), uses),
      level: level ? { at: level.at, rawMm: level.value } : null,
      pump: { isAutomatic: flagOf(latest, 'relayControl') === true, daysRun: pumped.length },
    },
    now,
  );
  const relay = hours('relayState').rows;
  const busy = nights.filter((night) => drawn.includes(night) || drawnNights([night], [relay]).length > 0);
  return {
    _id: device.uid,
    name: device.name,
    untilEmpty: empty.forecast,
    noForecast: empty.why,
    leak: nightFlow(flowHours(tank), nights, busy, now) ?? nightFall(shape, levels, nights, busy, now),
    pump: pumpWatch(shape, relay, levels, now),
  };
}

function withUse(days: readonly Rolled[], uses: readonly LevelUse[]): Rolled[] {
  const byStart = new Map(uses.map((use) => [use.at, use]));
  return days.map((day) => {
    const use = byStart.get(day.at);
    return use ? { ...day, used: use.fall, gained: use.rise } : day;
  });
}

export const meterInsight = (meter: DeviceHistory, { nights, drawn, now }: Nights): MeterInsight => ({
  _id: meter.device.uid,
  name: meter.device.name,
  leak: nightFlow(flowHours(meter), nights, drawn, now),
});

/** Not an hour or day in which nothing that was read can be. */
const isKnown = ({ n }: Rolled) => n > 0;

/** Its hours, L/min. The least flow of an hour is known of meters that report one; of counters its mean stands for it. */
function flowHours({ device, hours, hourly }: DeviceHistory): FlowHourMean[] {
  const readings = new Map(meterMetrics.flatMap((metric) => hours(metric).rows.map(({ at, n }) => [at, n])));
  const least = new Map(hours('flowLpm').rows.map(({ at, min }) => [at, measuredFlow(device, min)]));
  for (const { at, n } of hours('flowLpm').rows) readings.set(at, n);
  return metered(device, hours, hourly).flatMap(({ at, litrePerMinute: mean }) => {
    const smallest = least.get(at) ?? mean;
    // An hour with a value that can't be a flow tells nothing of its least.
    if (mean === null || !isValidFlow(smallest)) return [];
    return [{ at, readings: readings.get(at) ?? 0, mean, least: smallest }];
  });
}

/** The tension at which this person irrigates this site again, kPa. */
export function refillStart(settings: Settings, farmUid: string, siteUid: string): number {
  const bands = mendBands(stressBandsOf(settings, farmUid, siteUid));
  return bands.find(({ idx }) => idx === REFILL)?.start ?? 0;
}
const REFILL = 3;

export function siteInsight(site: DeviceHistory, refillKpa: number, now: number): SiteInsight {
  const { forecast, why } = untilRefill(soilHours(site), refillKpa, now);
  const kpaNow = meanTension(site.latest, now);
  return {
    _id: site.device.uid,
    name: site.device.name,
    untilRefill: forecast,
    noForecast: why,
    kpaNow: kpaNow === null ? null : toTenth(kpaNow),
    refillKpa,
  };
}

function soilHours({ hours, latest }: DeviceHistory): SoilHour[] {
  const present = probeMetrics.filter((metric) => latest.has(metric));
  const means = present.map(
    (metric) => new Map(hours(metric).rows.map((row) => [row.at, meanOfValid(row, isValidTension)])),
  );
  const rain = rainOf((metric) => (latest.has(metric) ? hours(metric) : emptySeries));
  const times = new Set([...means, rain].flatMap((values) => [...values.keys()]));
  return [...times]
    .toSorted((a, b) => a - b)
    .map((at) => ({
      at,
      kpa: means.map((values) => values.get(at) ?? null),
      rainMm: mmOfTips(rain.get(at)?.tips ?? 0),
    }));
}
