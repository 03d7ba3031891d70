import type { FarmRow } from '../../db/schema.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { LatestValues } from '../series/latest-values.ts';
import type { Range } from '../series/rollup-query.ts';
import { pickSeries } from '../series/series-limits.ts';
import type { FlowRepo } from './flow.repo.ts';
import { metered } from './metered.ts';

const HOUR = 3_600_000;
const nothing: LatestValues = new Map();

/** What a meter showed at a moment, epoch ms and L/s. */
export interface MeterShowed {
  at: number;
  lps: number;
}

/** What a farm's meters say of its watering. */
export function createMeterReads(flow: FlowRepo) {
  return {
    /** Litres through each meter on the farm's days in a range of whole ones, by the day's start (epoch ms); meters by name. */
    async litresByDay(farm: FarmRow, range: Range): Promise<Map<number, { name: string; litres: number }[]>> {
      const zone = toZone(farm);
      const meters = await flow.meters(farm.id);
      const found = new Map<number, { name: string; litres: number }[]>();
      if (meters.length === 0) return found;
      const latest = await flow.latest(
        farm.id,
        meters.map(({ id }) => id),
      );
      const days = await flow.rollups({ span: 'day', farmId: farm.id, range }, meters, latest);
      for (const device of sortedByName(meters))
        for (const { at, litres } of metered(device, pickSeries(days, latest.get(device.id)), {
          span: 'day',
          zone,
          range,
        })) {
          if (litres === null) continue;
          found.set(at, [...(found.get(at) ?? []), { name: device.name, litres: Math.round(litres) }]);
        }
      return found;
    },

    /** What the farm's meter showed in the last hour, oldest first; null: it has none, or several. */
    async onlyMeter(farm: FarmRow, now: Date): Promise<{ name: string; samples: MeterShowed[] } | null> {
      const [device, ...others] = await flow.meters(farm.id);
      if (!device || others.length > 0) return null;
      const range = { from: now.getTime() - HOUR, to: now.getTime() + 1 };
      const series = await flow.series(
        device,
        (await flow.latest(farm.id, [device.id])).get(device.id) ?? nothing,
        'reading',
        range,
      );
      const samples = metered(device, series, 'reading').flatMap(({ at, litrePerMinute }) =>
        litrePerMinute === null ? [] : { at, lps: litrePerMinute / 60 },
      );
      return { name: device.name, samples };
    },
  };
}
