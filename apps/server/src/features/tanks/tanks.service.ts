import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { isValidFlow } from '@headrace/contract/rules/flow';
import type { TankInfo, TankSite, TankSummary } from '@headrace/contract/tanks';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { rounded } from '../series/row-values.ts';
import { requireTank } from './require-tank.ts';
import { createTankCharts } from './tank-charts.ts';
import { createTankDays } from './tank-days.ts';
import { createTankFactsReader } from './tank-facts-reader.ts';
import { toInfo } from './tank-info.ts';
import { toSite } from './tank-site.ts';
import { flowOf, levelOf, toSummary } from './tank-summary.ts';
import type { Amount } from './tank-usage.ts';
import { createTankUsageReader } from './tank-usage-reader.ts';
import type { TanksRepo } from './tanks.repo.ts';

const DAY = 86_400_000;

export function createTanksService(tanks: TanksRepo) {
  const factsOf = createTankFactsReader(tanks);
  const usage = createTankUsageReader(tanks);

  return {
    ...createTankCharts(tanks, usage),
    ...createTankDays(tanks, usage),

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
      const [days, times, intervals, configUpdates] = await Promise.all([
        usage(zone, device, 'day', { from: yesterday, to: at + 1 }),
        tanks.readingTimes(farm.id, reported('levelMm'), at - 2 * DAY, at),
        tanks.valuesSince(farm.id, reported('commsIntervalMin'), at - 2 * DAY, at),
        tanks.configUpdates(farm.id, device.id),
      ]);
      const litresOn = (day: number) => litresOf(days.find((amount) => amount.at === day));
      const details = {
        todayUsage: litresOn(today),
        yesterdayUsage: litresOn(yesterday),
        reports: { times, intervals: intervals.map(({ at, value }) => ({ at, minutes: value })) },
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

const litresOf = (amount: Amount | undefined) => (amount ? rounded(amount.litres) : null);
