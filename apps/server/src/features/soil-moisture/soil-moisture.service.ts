import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { addDays, clockTime, dayStart, parseDay } from '@headrace/contract/rules/farm-time';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { mmOfTips, soilProbes } from '@headrace/contract/rules/soil-moisture';
import type { soilMoisture, SoilSite } from '@headrace/contract/soil-moisture';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { chartSpan, daysBetween } from '../series/history-range.ts';
import type { Range } from '../series/rollup-query.ts';
import { rounded } from '../series/row-values.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { legacySample } from './legacy-sample.ts';
import { lastDayOfGauge, rainOf, soilPoints } from './soil-points.ts';
import { meanTension, requireSite, toSite } from './soil-site.ts';
import type { SoilMoistureRepo } from './soil-moisture.repo.ts';

const DAY = 86_400_000;
const tensionMetrics = ['swp1Kpa', 'swp2Kpa', 'swp3Kpa', 'swp4Kpa'] as const;
const gaugeMetrics = ['rainTipsTotal', 'rainTips', 'rainTotalMm', 'rainMm', 'rainTipsAdded'] as const;

/** A site's gauge, and mm by when days began, epoch ms. */
export interface RainDays {
  readonly uid: string;
  readonly name: string;
  readonly days: ReadonlyMap<number, number>;
}

export type SiteNow = SoilSite & { kpa: number | null };

export function createSoilMoistureService(soil: SoilMoistureRepo) {
  /** Throws notFound when the farm has no such site. */
  async function siteOf(farm: FarmRow, uid: string): Promise<DeviceRow> {
    const [site] = await soil.sites(farm.id, uid.toLowerCase());
    if (!site) throw notFound();
    return site;
  }

  return {
    /** By name; a fixed number of queries, however many there are. */
    async sites(farm: FarmRow, now: Date): Promise<SoilSite[]> {
      const sites = await soil.sites(farm.id);
      const latest = await soil.latest(
        farm.id,
        sites.map(({ id }) => id),
      );
      return sortedByName(sites).map((site) => toSite(site, latest.get(site.id) ?? new Map(), now.getTime()));
    },

    /** The same, each with how dry it is at its sensors on the average, kPa; null: silent, or no sensor tells a tension. */
    async sitesNow(farm: FarmRow, now: Date): Promise<SiteNow[]> {
      const sites = await soil.sites(farm.id);
      const latest = await soil.latest(
        farm.id,
        sites.map(({ id }) => id),
      );
      return sortedByName(sites).map((device) => {
        const values = latest.get(device.id) ?? new Map();
        return { ...toSite(device, values, now.getTime()), kpa: meanTension(values, now.getTime()) };
      });
    },

    /** Throws invalid for days that don't exist, or that end before they begin. */
    async readings(
      farm: FarmRow,
      device: DeviceRow,
      { date, to, legacy = false }: Pick<QueryOf<typeof soilMoisture>, 'date' | 'to' | 'legacy'>,
      now: Date,
    ): Promise<ReplyOf<typeof soilMoisture>> {
      requireSite(device);
      const zone = toZone(farm);
      const range = daysBetween(zone, { name: 'date', text: date }, { name: 'to', text: to }, now.getTime());
      const span = chartSpan(range);
      const points = soilPoints(device, await soil.series(device, span, range));
      return { span, data: legacy ? points.map((point) => legacySample(point, zone)) : points };
    },

    /**
     * °C as last read before `hour` o'clock of today, or before now where that hour has not come; of the 24 hours before it,
     * since what is older is no temperature of today.
     */
    async temperature(
      farm: FarmRow,
      siteUid: string,
      hour: number | undefined,
      now: Date,
    ): Promise<{ value: number | null; at: number | null }> {
      const site = await siteOf(farm, siteUid);
      const zone = toZone(farm);
      const today = dayStart(zone, now.getTime());
      const asked = hour === undefined ? now.getTime() : clockTime(zone, today, hour * 3600);
      const until = Math.min(asked, now.getTime());
      const series = await soil.series(site, 'reading', { from: until - DAY, to: until + 1 }, [
        'temperatureC',
      ]);
      const last = series('temperatureC')?.rows.findLast(({ lastValue }) => Number.isFinite(lastValue));
      return { value: last?.lastValue ?? null, at: last?.lastAt ?? null };
    },

    /**
     * Rain by days that start in the range (epoch ms), mm, of one site's gauge; without one of the first, by name, that told of any. A day
     * in which the gauge fell silent is not among them. Null: no gauge told of rain.
     */
    async rainDays(farm: FarmRow, siteUid: string | null, range: Range, now: Date): Promise<RainDays | null> {
      for (const site of sortedByName(await soil.sites(farm.id, siteUid ?? undefined))) {
        const series = await soil.series(site, 'day', range, gaugeMetrics);
        const days = rainOf(series);
        if (days.size === 0) continue;
        const last = lastDayOfGauge(series);
        const end = last && addDays(toZone(farm), last.at, 1);
        if (last && end && end <= now.getTime() && end - last.lastAt > TANK_OUT_OF_CONTACT_MS)
          days.delete(last.at);
        const mm = new Map([...days].map(([at, { tips }]) => [at, rounded(mmOfTips(tips))]));
        return { uid: site.uid, name: site.name, days: mm };
      }
      return null;
    },

    /** How dry a site was by hour (its start, epoch ms), kPa: mean of what its sensors told in it. */
    async tensions(farm: FarmRow, siteUid: string, range: Range): Promise<ReadonlyMap<number, number>> {
      const [site] = await soil.sites(farm.id, siteUid.toLowerCase());
      if (!site) return new Map();
      const points = soilPoints(site, await soil.series(site, 'hour', range, tensionMetrics));
      return new Map(
        points.flatMap((point) => {
          const told = soilProbes.flatMap((probe) => point[probe] ?? []);
          if (told.length === 0) return [];
          return [[Date.parse(point.dateTime), told.reduce((sum, kpa) => sum + kpa, 0) / told.length]];
        }),
      );
    },

    /** mm from the start of a day of the farm to now; null when the site told nothing of rain in that time. */
    async rainSince(
      farm: FarmRow,
      siteUid: string,
      startDate: string,
      now: Date,
    ): Promise<{ mm: number | null; at: number | null }> {
      const site = await siteOf(farm, siteUid);
      const from = parseDay(toZone(farm), startDate);
      if (from === null) throw invalid('startDate must be a day that exists, as DD-MM-YYYY.', 'startDate');
      const range = { from, to: now.getTime() + 1 };
      const days = [...rainOf(await soil.series(site, 'day', range, gaugeMetrics)).values()];
      if (days.length === 0) return { mm: null, at: null };
      const tips = days.reduce((sum, day) => sum + day.tips, 0);
      return { mm: rounded(mmOfTips(tips)), at: Math.max(...days.map(({ lastAt }) => lastAt)) };
    },
  };
}
export type SoilMoistureService = ReturnType<typeof createSoilMoistureService>;
