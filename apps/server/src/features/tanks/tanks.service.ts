import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { isValidFlow } from '@headrace/contract/rules/flow';
import { measuresByFlow, tankShape } from '@headrace/contract/rules/tank';
import { tankTypes } from '@headrace/contract/sensor-types';
import type {
  BatteryPoint,
  LevelPoint,
  TankInfo,
  TankSite,
  TankSummary,
  UsagePoint,
} from '@headrace/contract/tanks';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { toZone } from '../farms/farm-zone.ts';
import { batteryPoints, levelPoints } from './history-points.ts';
import { amountSpan, historyRange, meanSpan, type Period } from './history-range.ts';
import type { LatestValues } from './latest-values.ts';
import type { Range, Span } from './rollup-query.ts';
import { pickSeries, wantedSeries } from './series-limits.ts';
import { sortedByName } from './sorted-by-name.ts';
import { toInfo } from './tank-info.ts';
import { hasLeak, leakRange } from './tank-leak.ts';
import { toSite } from './tank-site.ts';
import { flowOf, levelOf, type TankFacts, toSummary, valueOf } from './tank-summary.ts';
import { type Amount, litrePerPulse, litresByFalls, litresByPulses } from './tank-usage.ts';
import { usagePoints } from './usage-points.ts';
import type { TanksRepo } from './tanks.repo.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

export function createTanksService(tanks: TanksRepo) {
  /** A fixed number of queries, however many tanks there are. */
  async function factsOf(
    zone: Timezone,
    farmId: number,
    devices: readonly DeviceRow[],
    now: number,
  ): Promise<TankFacts[]> {
    const latest = await tanks.latest(
      farmId,
      devices.map(({ id }) => id),
    );
    const all = [...latest.values()];
    const levels = all.flatMap((values) => values.get('levelMm') ?? []);
    const hourly = ['levelMm', 'flowLpm', 'pulsesTotal', 'pulses'];
    const [before, hours] = await Promise.all([
      tanks.hourBefore(farmId, levels),
      tanks.rollups(
        { span: 'hour', farmId, range: leakRange(zone, now) },
        devices.flatMap((device) => wantedSeries(device, latest.get(device.id), hourly)),
      ),
    ]);
    return sortedByName(devices).map((device) => {
      const values = latest.get(device.id) ?? new Map();
      const series = pickSeries(hours, values);
      return {
        device,
        latest: values,
        hourBeforeMm: before.get(values.get('levelMm')?.seriesId ?? 0) ?? null,
        hasLeak: hasLeak(
          zone,
          tankShape(device.settings),
          { level: series('levelMm').rows, flow: series('flowLpm').rows },
          now,
        ),
        pulseHours: { total: series('pulsesTotal'), increments: series('pulses') },
      };
    });
  }

  async function usage(device: DeviceRow, latest: LatestValues, span: Span, range: Range): Promise<Amount[]> {
    const byFlow = countsPulses(device, latest);
    const metrics = byFlow ? ['pulsesTotal', 'pulses'] : ['levelMm'];
    const query = { span, farmId: device.farm_id, range };
    const series = pickSeries(await tanks.rollups(query, wantedSeries(device, latest, metrics)), latest);
    return byFlow
      ? litresByPulses(litrePerPulse(device.settings), {
          total: series('pulsesTotal'),
          increments: series('pulses'),
        })
      : litresByFalls(tankShape(device.settings), series('levelMm'));
  }

  const latestOf = async (device: DeviceRow): Promise<LatestValues> =>
    (await tanks.latest(device.farm_id, [device.id])).get(device.id) ?? new Map();

  return {
    async summaries(farm: FarmRow, now: Date): Promise<TankSummary[]> {
      const devices = await tanks.tanks(farm.id);
      const facts = await factsOf(toZone(farm), farm.id, devices, now.getTime());
      return facts.map((tank) => toSummary(tank, now.getTime()));
    },

    /** Throws notFound when the farm has no such tank. */
    async basicInfo(farm: FarmRow, uid: string, now: Date): Promise<TankSummary> {
      const devices = await tanks.tanks(farm.id, uid.toLowerCase());
      const [tank] = await factsOf(toZone(farm), farm.id, devices, now.getTime());
      if (!tank) throw notFound();
      return toSummary(tank, now.getTime());
    },

    async fullInfo(farm: FarmRow, device: DeviceRow, now: Date): Promise<TankInfo> {
      requireTank(device);
      const zone = toZone(farm);
      const at = now.getTime();
      const [facts] = await factsOf(zone, farm.id, [device], at);
      if (!facts) throw notFound();
      const today = dayStart(zone, at);
      const yesterday = addDays(zone, today, -1);
      const levelSeries = facts.latest.get('levelMm')?.seriesId;
      const [days, readingTimes, configUpdates] = await Promise.all([
        usage(device, facts.latest, 'day', { from: yesterday, to: at + 1 }),
        levelSeries === undefined ? [] : tanks.readingTimes(farm.id, levelSeries, at - DAY, at),
        tanks.configUpdates(farm.id, device.id),
      ]);
      const litresOn = (day: number) => days.find((amount) => amount.at === day)?.litres ?? null;
      const details = {
        todayUsage: litresOn(today),
        yesterdayUsage: litresOn(yesterday),
        readingTimes,
        configUpdates,
      };
      return toInfo(farm.uid, facts, details, at);
    },

    /** The level of one tank and what flows through its own meter (L/min), each with when it was said. */
    async now(farm: FarmRow, device: DeviceRow, now: Date): Promise<TankNow> {
      requireTank(device);
      const [facts] = await factsOf(toZone(farm), farm.id, [device], now.getTime());
      if (!facts) throw notFound();
      const flow = flowOf(facts)?.flowrate ?? null;
      const flowMetrics = ['flowLpm', 'pulsesTotal', 'pulses'];
      return {
        level: levelOf(facts),
        levelAt: facts.latest.get('levelMm')?.at ?? null,
        litrePerMinute: isValidFlow(flow) ? flow : null,
        flowAt: flowMetrics.flatMap((metric) => facts.latest.get(metric)?.at ?? [])[0] ?? null,
      };
    },

    /** Litres drawn on a day of the farm, `daysAgo` before today, with when the newest of it was read. */
    async usedOn(
      farm: FarmRow,
      device: DeviceRow,
      daysAgo: number,
      now: Date,
    ): Promise<{ litres: number | null; at: number | null }> {
      requireTank(device);
      const zone = toZone(farm);
      const day = addDays(zone, dayStart(zone, now.getTime()), -daysAgo);
      const range = { from: day, to: Math.min(addDays(zone, day, 1), now.getTime() + 1) };
      const [amount] = await usage(device, await latestOf(device), 'day', range);
      return { litres: amount?.litres ?? null, at: amount?.lastAt ?? null };
    },

    async levelHistory(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<LevelPoint[]> {
      requireTank(device);
      const zone = toZone(farm);
      const range = historyRange(zone, period, now.getTime());
      const span = meanSpan(range);
      const latest = await latestOf(device);
      const query = { span, farmId: farm.id, range };
      const rollups = await tanks.rollups(query, wantedSeries(device, latest, ['levelMm']));
      const minutes = valueOf(latest, 'commsIntervalMin');
      const { rows } = pickSeries(rollups, latest)('levelMm');
      return levelPoints(
        zone,
        span,
        tankShape(device.settings),
        rows,
        minutes === null ? null : minutes * MINUTE,
      );
    },

    /** A zero where the device was heard and nothing left the tank; no point where it was not heard. */
    async usageHistory(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<UsagePoint[]> {
      requireTank(device);
      const zone = toZone(farm);
      const range = historyRange(zone, period, now.getTime());
      const span = amountSpan(range);
      const amounts = await usage(device, await latestOf(device), span, range);
      return usagePoints(zone, span, amounts, now.getTime());
    },

    async batteryHistory(
      farm: FarmRow,
      device: DeviceRow,
      period: Period,
      now: Date,
    ): Promise<BatteryPoint[]> {
      requireTank(device);
      const range = historyRange(toZone(farm), period, now.getTime());
      const latest = await latestOf(device);
      const wanted = wantedSeries(device, latest, ['batteryV', 'charging']);
      const rollups = await tanks.rollups({ span: meanSpan(range), farmId: farm.id, range }, wanted);
      const series = pickSeries(rollups, latest);
      return batteryPoints(series('batteryV').rows, series('charging').rows);
    },

    async site(farm: FarmRow, now: Date): Promise<TankSite> {
      const [devices, places] = await Promise.all([tanks.tanks(farm.id), tanks.places(farm.id)]);
      const facts = await factsOf(toZone(farm), farm.id, devices, now.getTime());
      return toSite(farm, facts, sortedByName(places));
    },
  };
}
/** Times in epoch ms; null: never. */
interface TankNow {
  level: TankSummary['level'];
  levelAt: number | null;
  litrePerMinute: number | null;
  flowAt: number | null;
}

export type TanksService = ReturnType<typeof createTanksService>;

/** Other devices of the farm answer to their own calls: here they don't exist. */
function requireTank(device: DeviceRow): void {
  if (device.kind !== 'sensor' || !tankTypes.includes(device.type)) throw notFound();
}

/** A meter that never sent a pulse says nothing of usage: then the level's falls do. */
function countsPulses(device: DeviceRow, latest: LatestValues): boolean {
  return measuresByFlow(device.type, device.settings) && (latest.has('pulsesTotal') || latest.has('pulses'));
}
