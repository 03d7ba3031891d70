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
import { toZone } from '../farm-clock/farm-zone.ts';
import { metered } from '../flow/metered.ts';
import { rounded } from '../series/row-values.ts';
import { batteryPoints, levelPoints } from './history-points.ts';
import { amountSpan, historyRange, meanSpan, type Period } from '../series/history-range.ts';
import type { Range, Span } from '../series/rollup-query.ts';
import { pickSeries, wantedSeries } from '../series/series-limits.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { toInfo } from './tank-info.ts';
import { hasLeak, leakRange, nightHours } from './tank-leak.ts';
import { toSite } from './tank-site.ts';
import { flowOf, levelOf, type TankFacts, toSummary, valueOf } from './tank-summary.ts';
import { type Amount, litresByLevel, meterBegan, untilMeter, usedByMeter } from './tank-usage.ts';
import { usagePoints } from './usage-points.ts';
import type { TanksRepo } from './tanks.repo.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const pulseMetrics = ['pulsesTotal', 'pulses'];

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
    const wanted = (metrics: readonly string[]) =>
      devices.flatMap((device) => wantedSeries(device, latest.get(device.id), metrics));
    const [before, nights, flows] = await Promise.all([
      tanks.hourBefore(farmId, levels),
      tanks.hours(farmId, nightHours(zone, now), wanted(['levelMm'])),
      tanks.rollups(
        { span: 'hour', farmId, range: leakRange(zone, now) },
        wanted(['flowLpm', ...pulseMetrics]),
      ),
    ]);
    const hours = new Map([...nights, ...flows]);
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
        pulseHours: { total: series('pulsesTotal'), deltas: series('pulses') },
      };
    });
  }

  /** Of a tank with a meter its pulses are read too, and used where there are any. */
  async function usage(zone: Timezone, device: DeviceRow, span: Span, range: Range): Promise<Amount[]> {
    const hasMeter = measuresByFlow(device.type, device.settings);
    const metrics = hasMeter ? ['levelMm', ...pulseMetrics] : ['levelMm'];
    const { latest, series } = await tanks.device(device, metrics, { span, range });
    const byLevel = async () => {
      const wanted = wantedSeries(device, latest, ['levelMm']);
      const levels = new Map(wanted.map(({ id }) => [id, series('levelMm')]));
      const uses = await tanks.levelUses({ span, farmId: device.farm_id, range, zone }, wanted, levels);
      const own = uses.get(latest.get('levelMm')?.seriesId ?? 0);
      return litresByLevel(tankShape(device.settings), series('levelMm'), own);
    };
    // A meter that never sent a pulse says nothing of usage: then the level's falls do.
    if (!hasMeter || !pulseMetrics.some((metric) => latest.has(metric))) return byLevel();
    const byMeter = usedByMeter(metered(device, series, { span, zone, range }));
    const began = meterBegan({ total: series('pulsesTotal'), deltas: series('pulses') });
    return began === null ? byMeter : untilMeter(await byLevel(), byMeter, began);
  }

  return {
    async summaries(farm: FarmRow, now: Date): Promise<TankSummary[]> {
      const devices = await tanks.tanks(farm.id);
      const facts = await factsOf(toZone(farm), farm.id, devices, now.getTime());
      const gatewayOf = new Map(devices.map(({ id, gateway_uid }) => [id, gateway_uid]));
      return facts.map((tank) => ({
        ...toSummary(tank, now.getTime()),
        gatewayUID: gatewayOf.get(tank.device.id) ?? null,
      }));
    },

    /** Throws notFound when the farm has no such tank. */
    async basicInfo(farm: FarmRow, uid: string, now: Date): Promise<TankSummary> {
      const devices = await tanks.tanks(farm.id, uid.toLowerCase());
      const [tank] = await factsOf(toZone(farm), farm.id, devices, now.getTime());
      if (!tank) throw notFound();
      return { ...toSummary(tank, now.getTime()), gatewayUID: devices[0]?.gateway_uid ?? null };
    },

    async fullInfo(farm: FarmRow, device: DeviceRow, now: Date): Promise<TankInfo> {
      requireTank(device);
      const zone = toZone(farm);
      const at = now.getTime();
      const [facts] = await factsOf(zone, farm.id, [device], at);
      if (!facts) throw notFound();
      const today = dayStart(zone, at);
      const yesterday = addDays(zone, today, -1);
      const reported = (metric: string) => facts.latest.get(metric)?.seriesId;
      const [days, times, told, configUpdates] = await Promise.all([
        usage(zone, device, 'day', { from: yesterday, to: at + 1 }),
        tanks.readingTimes(farm.id, reported('levelMm'), at - 2 * DAY, at),
        tanks.valuesSince(farm.id, reported('commsIntervalMin'), at - 2 * DAY, at),
        tanks.configUpdates(farm.id, device.id),
      ]);
      const litresOn = (day: number) => litresOf(days.find((amount) => amount.at === day));
      const details = {
        todayUsage: litresOn(today),
        yesterdayUsage: litresOn(yesterday),
        reports: { times, told: told.map(({ at, value }) => ({ at, minutes: value })) },
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
      const [amount] = await usage(zone, device, 'day', range);
      return { litres: litresOf(amount), at: amount?.lastAt ?? null };
    },

    async levelHistory(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<LevelPoint[]> {
      requireTank(device);
      const zone = toZone(farm);
      const range = historyRange(zone, period, now.getTime());
      const span = meanSpan(range);
      const { latest, series } = await tanks.device(device, ['levelMm'], { span, range });
      const minutes = valueOf(latest, 'commsIntervalMin');
      const { rows } = series('levelMm');
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
      const amounts = await usage(zone, device, span, range);
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
      const asked = { span: meanSpan(range), range };
      const { series } = await tanks.device(device, ['batteryV', 'charging'], asked);
      return batteryPoints(series('batteryV').rows, series('charging').rows);
    },

    /** The farm's gateways and repeaters, with when they were heard. */
    async radios(farm: FarmRow): Promise<Pick<TankSite, 'gateways' | 'repeaters'>> {
      const { gateways, repeaters } = toSite(farm, [], sortedByName(await tanks.places(farm.id)));
      return { gateways, repeaters };
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

const litresOf = (amount: Amount | undefined) => (amount ? rounded(amount.litres) : null);
