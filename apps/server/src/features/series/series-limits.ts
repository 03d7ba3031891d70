import { metricLimits } from '@headrace/contract/rules/metric-limits';
import { soilProbes } from '@headrace/contract/rules/soil-moisture';
import { levelLimits, tankShape } from '@headrace/contract/rules/tank';
import { isWithin, type Limits } from '@headrace/contract/rules/within';
import type { DeviceRow } from '../../db/schema.ts';
import type { LatestValues } from './latest-values.ts';
import { emptySeries, type RollupSeries } from './rollup-query.ts';

/** A series that is read; what lies outside its limits counts as a reading that its device called invalid. */
export interface WantedSeries {
  id: number;
  metric: string;
  /** null: any number can be. */
  limits: Limits | null;
}

/** Of a site's probes, in their order. */
export const probeMetrics: readonly string[] = soilProbes.map((probe) => `${probe}Kpa`);

/** What a device's metric can be, in its unit, by its settings as they are now. */
export function limitsOf({ settings }: Pick<DeviceRow, 'settings'>, metric: string): Limits | null {
  return metric === 'levelMm' ? levelLimits(tankShape(settings)) : metricLimits(metric);
}

/** Whether the device's metric can have this value. */
export function canBeOf(device: Pick<DeviceRow, 'settings'>, metric: string): (value: number) => boolean {
  const limits = limitsOf(device, metric);
  return (value) => (limits ? isWithin(limits, value) : Number.isFinite(value));
}

/** The series of these metrics, of those that the device has reported. */
export const wantedSeries = (
  device: Pick<DeviceRow, 'settings'>,
  latest: LatestValues | undefined,
  metrics: readonly string[],
): WantedSeries[] =>
  metrics.flatMap((metric) => {
    const id = latest?.get(metric)?.seriesId;
    return id === undefined ? [] : [{ id, metric, limits: limitsOf(device, metric) }];
  });

/** The device's series of a metric, among those that were read; an empty one of what it never reported. */
export const pickSeries =
  (found: ReadonlyMap<number, RollupSeries>, latest: LatestValues | undefined) =>
  (metric: string): RollupSeries =>
    found.get(latest?.get(metric)?.seriesId ?? 0) ?? emptySeries;
