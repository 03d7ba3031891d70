import type { Timezone } from '@headrace/contract/farms';
import { measuresByFlow, tankShape } from '@headrace/contract/rules/tank';
import type { DeviceRow } from '../../db/schema.ts';
import { metered } from '../flow/metered.ts';
import type { Range, Span } from '../series/rollup-query.ts';
import { wantedSeries } from '../series/series-limits.ts';
import {
  type Amount,
  litresByLevel,
  meterBegan,
  pulseMetrics,
  untilMeter,
  usedByMeter,
} from './tank-usage.ts';
import type { TanksRepo } from './tanks.repo.ts';

/** What was drawn from a tank in each hour or day of a range. */
export type ReadTankUsage = (
  zone: Timezone,
  device: DeviceRow,
  span: Span,
  range: Range,
) => Promise<Amount[]>;

export function createTankUsageReader(tanks: TanksRepo): ReadTankUsage {
  /** Of a tank with a meter its pulses are read too, and used where there are any. */
  return async function usage(zone, device, span, range) {
    const hasMeter = measuresByFlow(device.type, device.settings);
    const metrics = hasMeter ? ['levelMm', ...pulseMetrics] : ['levelMm'];
    // Beside its levels, not after them: a chart is three statements, and waits for one.
    const [{ latest, series }, ahead] = await Promise.all([
      tanks.device(device, metrics, { span, range }),
      hasMeter ? undefined : tanks.readAhead(device, { span, range, zone }),
    ]);
    const byLevel = async () => {
      const wanted = wantedSeries(device, latest, ['levelMm']);
      const levels = new Map(wanted.map(({ id }) => [id, series('levelMm')]));
      const query = { span, farmId: device.farm_id, range, zone };
      const uses = await tanks.levelUses(query, wanted, levels, ahead);
      const own = uses.get(latest.get('levelMm')?.seriesId ?? 0);
      return litresByLevel(tankShape(device.settings), series('levelMm'), own);
    };
    // A meter that never sent a pulse says nothing of usage: then the level's falls do.
    if (!hasMeter || !pulseMetrics.some((metric) => latest.has(metric))) return byLevel();
    const byMeter = usedByMeter(metered(device, series, { span, zone, range }));
    const began = meterBegan({ total: series('pulsesTotal'), deltas: series('pulses') });
    return began === null ? byMeter : untilMeter(await byLevel(), byMeter, began);
  };
}
