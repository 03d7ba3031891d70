import { sensorTypes } from '@headrace/contract/sensor-types';
import type { FlowPoint } from '@headrace/contract/tanks';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { toZone } from '../farms/farm-zone.ts';
import { isoTime, meanOf, rounded } from '../tanks/history-points.ts';
import { historyRange, meanSpan, type Period } from '../tanks/history-range.ts';
import { emptySeries } from '../tanks/rollup-query.ts';
import { flowByPulses, litrePerPulse } from '../tanks/tank-usage.ts';
import type { FlowRepo } from './flow.repo.ts';

export function createFlowService(flow: FlowRepo) {
  return {
    /**
     * Mean flow by hour (up to 60 days) or day, L/min: what the meter reports as flow, else its pulses over the time since
     * the reading before. No point where the meter was silent, a zero where it said that nothing flowed.
     */
    async history(farm: FarmRow, device: DeviceRow, period: Period, now: Date): Promise<FlowPoint[]> {
      if (device.kind !== 'sensor') throw notFound();
      const range = historyRange(toZone(farm), period, now.getTime());
      const series = await flow.rollups(farm.id, device.id, meanSpan(range), range);
      const counted = flowByPulses(litrePerPulse(device.settings), {
        total: series.get('pulsesTotal') ?? emptySeries,
        increments: series.get('pulses') ?? emptySeries,
      });
      const means = new Map(counted.map(({ at, litrePerMinute }) => [at, litrePerMinute]));
      for (const row of series.get('flowLpm')?.rows ?? []) means.set(row.at, measured(device, meanOf(row)));
      return [...means.entries()]
        .toSorted(([a], [b]) => a - b)
        .map(([at, litrePerMinute]) => ({ time: isoTime(at), avgLitrePerMinute: rounded(litrePerMinute) }));
    },
  };
}
export type FlowService = ReturnType<typeof createFlowService>;

/** An analog meter's zero lies at its `offset`; what it shows below that is no flow. */
function measured({ type, settings }: DeviceRow, litrePerMinute: number): number {
  if (type !== sensorTypes.FLOW_ANALOG) return litrePerMinute;
  return Math.max(0, litrePerMinute - (settings.offset ?? 0));
}
