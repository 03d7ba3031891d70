import type { IoMessage, IpcItem, RepeaterItem, SensorValues } from './messages.ts';
import { soilDepths } from './soil-depths.ts';

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
  number('batteryPercent', '%', 'level', 'Battery'),
  number('distanceMm', 'mm', 'level', 'Distance to the water'),
  number('humidityPercent', '%', 'level', 'Humidity of the air'),
  number('pressureKpa', 'kPa', 'level', 'Pressure'),
  number('airPressureKpa', 'kPa', 'level', 'Pressure of the air'),
  number('rainTotalMm', 'mm', 'counter', 'Rain counted'),
  number('rainMm', 'mm', 'increment', 'Rain since the last message'),
  number('volumeTotalL', 'L', 'counter', 'Volume counted'),
  number('volumeL', 'L', 'increment', 'Volume since the last message'),
  number('windSpeedMs', 'm/s', 'level', 'Wind speed'),
  number('windGustMs', 'm/s', 'level', 'Strongest gust'),
  number('windDirectionDeg', '°', 'level', 'Wind direction'),
  number('solarWm2', 'W/m²', 'level', 'Solar radiation'),
  boolean('valveOpen', 'Valve open'),
  boolean('valve2Open', 'Valve 2 open'),
  boolean('doorOpen', 'Door open'),
  boolean('leak', 'Water where none should be'),
  ...soilDepths.map((depth) => number(`vwc${depth}Percent`, '%', 'level', `Soil moisture ${depth}`)),
  ...soilDepths.map((depth) =>
    number(`soilTemperature${depth}C`, '°C', 'level', `Soil temperature ${depth}`),
  ),
  ...soilDepths.map((depth) => number(`ec${depth}UsCm`, 'µS/cm', 'level', `Conductivity ${depth}`)),
] as const satisfies readonly MetricInfo[];
export type SensorMetric = (typeof sensorMetrics)[number]['name'];

/** What a network server knows of the radio link and the power of a sensor; no mapping names these. */
export const networkMetrics = [
  number('rssiDbm', 'dBm', 'level', 'Signal strength at the best gateway'),
  number('snrDb', 'dB', 'level', 'Signal to noise at the best gateway'),
  number('marginDb', 'dB', 'level', 'Margin of the last status request'),
  boolean('externalPower', 'External power'),
] as const satisfies readonly MetricInfo[];
export type NetworkMetric = (typeof networkMetrics)[number]['name'];

/** What people's tools add to what a sensor says; no device and no mapping names these. */
export const addedMetrics = [
  number('rainTipsAdded', 'tips of 0.2 mm', 'increment', 'Rain added'),
] as const satisfies readonly MetricInfo[];
export type AddedMetric = (typeof addedMetrics)[number]['name'];

/** A value that a mapping names itself: `custom.` a value, `counter.` a running total. */
export type CustomMetric = `custom.${string}` | `counter.${string}`;
export const customMetricPattern = '^(?:custom|counter)\\.[a-z][a-z0-9-]{0,30}$';
const customMetric = new RegExp(customMetricPattern);
/** Each is a series of its own, kept for ever. */
export const maxCustomMetrics = 16;

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

export type Metric = SensorMetric | NetworkMetric | AddedMetric | CustomMetric | UnitMetric | IoMetric;
const byName = new Map<string, MetricInfo>(
  [...sensorMetrics, ...networkMetrics, ...addedMetrics, ...unitMetrics, ...ioMetrics].map((info) => [
    info.name,
    info,
  ]),
);
const sensorNames = new Set<string>(sensorMetrics.map((info) => info.name));

export function metricInfo(name: string): MetricInfo | undefined {
  return byName.get(name) ?? (isCustomMetric(name) ? customInfo(name) : undefined);
}

export function isSensorMetric(name: string): name is SensorMetric {
  return sensorNames.has(name);
}

export function isCustomMetric(name: string): name is CustomMetric {
  return customMetric.test(name);
}

/** Name and unit that people gave it are in the sensor's mapping. */
function customInfo(name: CustomMetric): MetricInfo {
  const [group, slug = name] = name.split('.');
  return { name, unit: '', kind: group === 'counter' ? 'counter' : 'level', type: 'number', label: slug };
}

/** Values by metric, with those that a mapping names itself. */
export type MappedValues = SensorValues & { readonly [metric: CustomMetric]: number | null };

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
  return ports.flatMap((port, index) => [
    { metric: `input${port}` as const, value: Number(message.inputs[index]) },
    { metric: `relay${port}` as const, value: Number(message.relays[index]) },
  ]);
}
