import { metricLimits } from '@headrace/contract/rules/metric-limits';
import { soilProbes } from '@headrace/contract/rules/soil-moisture';
import { levelLimits, tankShape } from '@headrace/contract/rules/tank';
import { isWithin, type Limits } from '@headrace/contract/rules/within';
import { wrapOf } from '@headrace/device/field-mapping';
import { metricInfo } from '@headrace/device/metrics';
import type { DeviceRow } from '../../db/schema.ts';
import type { LatestValues } from './latest-values.ts';
import { emptySeries, type RollupSeries } from './rollup-query.ts';

/** A series that is read; what lies outside its limits counts as a reading that its device called invalid. */
export interface WantedSeries {
  id: number;
  metric: string;
  /** null: any number can be. */
  limits: Limits | null;
  /** Of a running total: where its register ends; null: its device doesn't say. */
  wrapAt: number | null;
}

/** Whether it is a running total. */
export const isCounter = (metric: string): boolean => metricInfo(metric)?.kind === 'counter';

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

/** A series of a device. */
export const toWanted = (
  { settings, mapping }: Pick<DeviceRow, 'settings' | 'mapping'>,
  id: number,
  metric: string,
): WantedSeries => ({ id, metric, limits: limitsOf({ settings }, metric), wrapAt: wrapOf(mapping, metric) });

/** The series of these metrics, of those that the device has reported. */
export const wantedSeries = (
  device: Pick<DeviceRow, 'settings' | 'mapping'>,
  latest: LatestValues | undefined,
  metrics: readonly string[],
): WantedSeries[] =>
  metrics.flatMap((metric) => {
    const id = latest?.get(metric)?.seriesId;
    return id === undefined ? [] : [toWanted(device, id, metric)];
  });

/** The device's series of a metric, among those that were read; an empty one of what it never reported. */
export const pickSeries =
  (found: ReadonlyMap<number, RollupSeries>, latest: LatestValues | undefined) =>
  (metric: string): RollupSeries =>
    found.get(latest?.get(metric)?.seriesId ?? 0) ?? emptySeries;
