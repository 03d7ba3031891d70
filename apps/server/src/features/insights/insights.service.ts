import { flowSummaries } from '@headrace/contract/flow';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmInsights, TankInsight } from '@headrace/contract/insights';
import { UNTIL_EMPTY } from '@headrace/contract/limits';
import { meets, type Permissions, presets } from '@headrace/contract/permissions';
import type { Findings } from '@headrace/contract/rules/attention';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { nightsBefore } from '@headrace/contract/rules/leak-watch';
import { meterTypes, sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { Settings } from '@headrace/contract/settings';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { meterMetrics } from '../flow/meter.ts';
import { soilMetrics } from '../soil-moisture/soil-site.ts';
import type { LatestValues } from '../series/latest-values.ts';
import { pickSeries, wantedSeries } from '../series/series-limits.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { drawnNights, meterInsight, refillStart, siteInsight, tankInsight } from './device-insights.ts';
import type { InsightsRepo } from './insights.repo.ts';

type Insights = ReplyOf<typeof farmInsights>;

export interface Reader {
  settings: Settings;
  permissions: Permissions;
}

/** Nights, pump runs and drying are looked back on for a week, from the midnight before it. */
const HOURLY_DAYS = 8;
const FINDINGS_KEPT_MS = 5 * 60_000;
const FARMS_KEPT = 1000;
/** Leaks and pumps are the same for all who may read them. */
const anybody: Reader = { settings: {}, permissions: presets.guest };
/** What stays for a while of what was reckoned. */
export interface KeptFindings extends Findings {
  readonly forecasts: readonly Pick<TankInsight, '_id' | 'name' | 'untilEmpty' | 'noForecast'>[];
}
const findingsOf = ({ tanks, meters }: Insights): KeptFindings => ({
  tanks: tanks.map(({ _id, leak, pump }) => ({ _id, leak, pump })),
  meters: meters.map(({ _id, leak }) => ({ _id, leak })),
  forecasts: tanks.map(({ _id, name, untilEmpty, noForecast }) => ({ _id, name, untilEmpty, noForecast })),
});
const tankHours: readonly string[] = ['levelMm', 'relayState', ...meterMetrics];
const tankDays: readonly string[] = ['levelMm', 'relayState'];
const relays: readonly string[] = [1, 2, 3, 4, 5, 6].map((port) => `relay${port}`);

export function createInsightsService(insights: InsightsRepo) {
  const kept = new Map<number, { at: number; findings: Promise<KeptFindings> }>();
  function keep(farm: FarmRow, now: Date, insightsOf: Promise<Insights>): Promise<KeptFindings> {
    const findings = insightsOf.then(findingsOf);
    kept.delete(farm.id);
    kept.set(farm.id, { at: now.getTime(), findings });
    const [oldest] = kept.keys();
    if (kept.size > FARMS_KEPT && oldest !== undefined) kept.delete(oldest);
    void findings.catch(() => kept.delete(farm.id));
    return findings;
  }

  const service = {
    /** What the farm's hours and days point to: a fixed number of queries, however many devices there are. */
    async ofFarm(farm: FarmRow, { settings, permissions }: Reader, now: Date): Promise<Insights> {
      const at = now.getTime();
      const zone = toZone(farm);
      const today = dayStart(zone, at);
      const devices = sortedByName(await insights.devices(farm.id));
      const latest = await insights.latest(
        farm.id,
        devices.map(({ id }) => id),
      );
      const latestOf = (device: DeviceRow): LatestValues => latest.get(device.id) ?? new Map();
      const seriesOf = (metrics: (device: DeviceRow) => readonly string[]) =>
        devices.flatMap((device) => wantedSeries(device, latestOf(device), metrics(device)));
      const lately = { from: addDays(zone, today, -HOURLY_DAYS), to: at + 1 };
      const wholeDays = { from: addDays(zone, today, -UNTIL_EMPTY.days - 1), to: today };
      const [hours, days] = await Promise.all([
        insights.rollups({ span: 'hour', farmId: farm.id, range: lately }, seriesOf(hourlyOf)),
        insights.rollups({ span: 'day', farmId: farm.id, range: wholeDays }, seriesOf(dailyOf)),
      ]);
      const uses = await insights.levelUses(
        { span: 'day', farmId: farm.id, range: wholeDays, zone },
        seriesOf(dailyOf),
        days,
      );
      const nights = nightsBefore(zone, at);
      const gateways = devices.filter(({ kind }) => kind === 'gateway');
      const drawn = drawnNights(
        nights,
        gateways.flatMap((gateway) => {
          const series = pickSeries(hours, latestOf(gateway));
          return relays.map((relay) => series(relay).rows);
        }),
      );
      const of = (device: DeviceRow) => ({
        device,
        latest: latestOf(device),
        hours: pickSeries(hours, latestOf(device)),
        days: pickSeries(days, latestOf(device)),
        uses: uses.get(latestOf(device).get('levelMm')?.seriesId ?? 0) ?? [],
        hourly: { span: 'hour' as const, zone, range: lately },
      });
      const clock = { nights, drawn, now: at };
      const mayReadMeters = meets(permissions, flowSummaries.needs);
      const found = {
        at: now.toISOString(),
        tanks: devices.filter(isTank).map((device) => tankInsight(of(device), clock)),
        meters: mayReadMeters ? devices.filter(isMeter).map((device) => meterInsight(of(device), clock)) : [],
        sites: devices
          .filter(isSite)
          .map((device) => siteInsight(of(device), refillStart(settings, farm.uid, device.uid), at)),
      };
      // The home page then says the same as the page that asked.
      if (mayReadMeters) void keep(farm, now, Promise.resolve(found));
      return found;
    },

    /**
     * Leaks and pumps alone, for the home page: of days of readings, so kept for five minutes, as a page keeps them. Nights and
     * pump runs don't move faster, and the home page asks of all farms each minute.
     */
    findings(farm: FarmRow, now: Date): Promise<KeptFindings> {
      const known = kept.get(farm.id);
      const age = known ? now.getTime() - known.at : 0;
      if (known && age >= 0 && age < FINDINGS_KEPT_MS) return known.findings;
      return keep(farm, now, service.ofFarm(farm, anybody, now));
    },
  };
  return service;
}
export type InsightsService = ReturnType<typeof createInsightsService>;

const isTank = ({ kind, type }: DeviceRow) => kind === 'sensor' && tankTypes.includes(type);
const isMeter = ({ kind, type }: DeviceRow) => kind === 'sensor' && meterTypes.includes(type);
const isSite = ({ kind, type }: DeviceRow) => kind === 'sensor' && type === sensorTypes.SOIL_MOISTURE;

const dailyOf = (device: DeviceRow) => (isTank(device) ? tankDays : []);

function hourlyOf(device: DeviceRow): readonly string[] {
  if (device.kind === 'gateway') return relays;
  if (isTank(device)) return tankHours;
  return isMeter(device) ? meterMetrics : soilMetrics;
}
