import type { IoMessage, IpcItem, RepeaterItem, SensorValues } from './messages.ts';

/**
 * What we store of a device, by name.
 * - `level`: a value at a moment; its minimum, mean and maximum mean something (mm, V, kPa, °C).
 * - `rate`: an amount per time at a moment.
 * - `counter`: a running total that only grows, until it rolls over or restarts.
 * - `increment`: an amount since the message before.
 * - `state`: one of a few values, kept until the next one; booleans are stored as 0 and 1.
 * - `setting`: what the device was told to do.
 */
export type MetricKind = 'level' | 'rate' | 'counter' | 'increment' | 'state' | 'setting';

export type MetricInfo = {
  readonly name: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly type: 'number' | 'boolean';
  readonly label: string;
};

const number = <Name extends string>(name: Name, unit: string, kind: MetricKind, label: string) =>
  ({ name, unit, kind, type: 'number', label }) as const;
const boolean = <Name extends string>(name: Name, label: string, kind: MetricKind = 'state') =>
  ({ name, unit: '', kind, type: 'boolean', label }) as const;

/** Members of `values` in `up/sensor`. */
export const sensorMetrics = [
  number('levelMm', 'mm', 'level', 'Water above the diaphragm'),
  number('batteryV', 'V', 'level', 'Battery'),
  boolean('charging', 'Charging'),
  boolean('fault', 'Charger fault'),
  number('flowLpm', 'L/min', 'rate', 'Flow'),
  number('flowDirection', '', 'state', 'Flow direction (0 in, 1 out)'),
  number('pulsesTotal', 'pulses', 'counter', 'Pulses counted'),
  number('pulses', 'pulses', 'increment', 'Pulses since the last message'),
  number('swp1Kpa', 'kPa', 'level', 'Soil tension 1'),
  number('swp2Kpa', 'kPa', 'level', 'Soil tension 2'),
  number('swp3Kpa', 'kPa', 'level', 'Soil tension 3'),
  number('swp4Kpa', 'kPa', 'level', 'Soil tension 4'),
  number('temperatureC', '°C', 'level', 'Temperature'),
  number('rainTipsTotal', 'tips of 0.2 mm', 'counter', 'Rain tips counted'),
  number('rainTips', 'tips of 0.2 mm', 'increment', 'Rain tips since the last message'),
  number('commsIntervalMin', 'min', 'setting', 'Reporting interval'),
  number('commsQuality', '0-1', 'level', 'Share of messages received'),
  number('highSetpoint', '%', 'setting', 'Pump stops at'),
  number('lowSetpoint', '%', 'setting', 'Pump starts at'),
  boolean('relayControl', 'Pump control on', 'setting'),
  boolean('relayState', 'Pump running'),
  boolean('inputState', 'Float or remote input'),
  number('maxRunTime', 'min', 'setting', 'Longest pump run (0 = no limit)'),
  boolean('switch', 'Switch'),
] as const satisfies readonly MetricInfo[];
export type SensorMetric = (typeof sensorMetrics)[number]['name'];

/** Of sprinklers (`up/ipc`) and repeaters (`up/repeater`). */
export const unitMetrics = [
  number('charge', '%', 'level', 'Charge'),
  number('clock', 's', 'level', 'Clock drift'),
  number('hops', 'hops', 'level', 'Radio hops'),
  boolean('valve', 'Valve open'),
  number('scheduleNum', '', 'state', 'Schedule entries held'),
  number('cycleDay', 'days', 'state', 'Day of the cycle'),
  number('cycleLen', 'days', 'setting', 'Length of the cycle'),
] as const satisfies readonly MetricInfo[];
export type UnitMetric = (typeof unitMetrics)[number]['name'];

type Port = 1 | 2 | 3 | 4 | 5 | 6;
export type IoMetric = `input${Port}` | `relay${Port}`;
const ports: readonly Port[] = [1, 2, 3, 4, 5, 6];

/** The six inputs and six relays of a gateway (`up/io`). */
export const ioMetrics: readonly (MetricInfo & { readonly name: IoMetric })[] = [
  ...ports.map((port) => boolean<IoMetric>(`input${port}`, `Input ${port}`)),
  ...ports.map((port) => boolean<IoMetric>(`relay${port}`, `Relay ${port}`)),
];

export type Metric = SensorMetric | UnitMetric | IoMetric;
const byName = new Map<string, MetricInfo>(
  [...sensorMetrics, ...unitMetrics, ...ioMetrics].map((info) => [info.name, info]),
);

export function metricInfo(name: string): MetricInfo | undefined {
  return byName.get(name);
}

export function isSensorMetric(name: string): name is SensorMetric {
  return sensorMetrics.some((info) => info.name === name);
}

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
  return ports.flatMap((port, index) => [
    { metric: `input${port}` as const, value: Number(message.inputs[index]) },
    { metric: `relay${port}` as const, value: Number(message.relays[index]) },
  ]);
}
