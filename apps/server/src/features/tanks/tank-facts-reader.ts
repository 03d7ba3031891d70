import type { Timezone } from '@headrace/contract/farms';
import { tankShape } from '@headrace/contract/rules/tank';
import type { DeviceRow } from '../../db/schema.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { pickSeries, wantedSeries } from '../series/series-limits.ts';
import { hasLeak, leakRange, nightHours } from './tank-leak.ts';
import type { TankFacts } from './tank-summary.ts';
import { pulseMetrics } from './tank-usage.ts';
import type { TanksRepo } from './tanks.repo.ts';

/** What a farm's tanks say of themselves now, by name. */
export type ReadTankFacts = (
  zone: Timezone,
  farmId: number,
  devices: readonly DeviceRow[],
  now: number,
) => Promise<TankFacts[]>;

export function createTankFactsReader(tanks: TanksRepo): ReadTankFacts {
  /** A fixed number of queries, however many tanks there are. */
  return async function factsOf(
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
  };
}
