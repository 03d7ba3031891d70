import type { IoMessage, IpcItem, RepeaterItem } from './messages.ts';
import {
  type CustomMetric,
  type IoMetric,
  ioPorts,
  isCustomMetric,
  type MappedValues,
  type Metric,
  type SensorMetric,
  sensorMetrics,
  type SensorValues,
  type UnitMetric,
  unitMetrics,
} from './metrics.ts';

/** One stored value; `null` means that the sensor reports an invalid value. Booleans have become 0 and 1. */
export type Reading<M extends Metric = Metric> = { readonly metric: M; readonly value: number | null };

/** The known members of `values`, in the order of `sensorMetrics`; unknown ones are left out. */
export function sensorReadings(values: SensorValues): Reading<SensorMetric>[] {
  const readings: Reading<SensorMetric>[] = [];
  for (const { name } of sensorMetrics) {
    const value = values[name];
    if (value !== undefined) readings.push({ metric: name, value: value === null ? null : Number(value) });
  }
  return readings;
}

/** What a mapping made of a decoded payload: our metrics in their order, then those that it names itself. */
export function mappedReadings(values: MappedValues): Reading<SensorMetric | CustomMetric>[] {
  const custom = Object.entries(values).flatMap(([metric, value]) =>
    isCustomMetric(metric) && value !== undefined
      ? [{ metric, value: value === null ? null : Number(value) }]
      : [],
  );
  return [...sensorReadings(values), ...custom];
}

export function ipcReadings(item: IpcItem): Reading<UnitMetric>[] {
  const readings: Reading<UnitMetric>[] = [];
  for (const { name } of unitMetrics) {
    const value = item[name];
    if (value !== undefined)
      readings.push({ metric: name, value: typeof value === 'string' ? Number(value === 'open') : value });
  }
  return readings;
}

export function repeaterReadings(item: RepeaterItem): Reading<UnitMetric>[] {
  const readings: Reading<UnitMetric>[] = [{ metric: 'charge', value: item.charge }];
  if (item.hops !== undefined) readings.push({ metric: 'hops', value: item.hops });
  return readings;
}

export function ioReadings(message: IoMessage): Reading<IoMetric>[] {
  return ioPorts.flatMap((port, index) => [
    { metric: `input${port}` as const, value: Number(message.inputs[index]) },
    { metric: `relay${port}` as const, value: Number(message.relays[index]) },
  ]);
}
