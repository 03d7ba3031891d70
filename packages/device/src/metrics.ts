import { FLOW_LPM, TENSION_KPA } from './limits.ts';
import {
  counter,
  delta,
  flag,
  gauge,
  type Limits,
  type MetricInfo,
  rate,
  setting,
  state,
} from './metric-row.ts';
import { soilDepths } from './soil-depths.ts';

/*
 * The one table of metrics. A row is all that a metric needs: schemas, types, the protocol's table, limits, labels and digits follow
 * from it; `npx vitest run --project unit agreement device-protocol -u` writes the files. History stores the name, and adds up by the kind: a row that was released keeps name,
 * unit and kind for ever (metrics.test.ts holds the list). The order is that of lists and of the readings of one message: add new
 * rows at the end of their table.
 *
 * Limits are what a device can measure wherever it stands, wide on purpose, since an odd value is shown as odd. WMO: Guide to
 * Instruments and Methods of Observation (No. 8), volume I, annex 1.A.
 */

const between = (min: number, max: number): { limits: Limits } => ({ limits: { min, max } });

/** A gauge of charge is a guess by voltage and current, a few percent over when it is full. % */
const charge = between(0, 110);
/** From the coldest and to the hottest that electronics in the open are made for (IEC 60721-3-4, 4K4H, with the sun on them). °C */
const soil = between(-40, 85);
const rollsOver = 'running total; may roll over or restart';

/** Members of `values` in `up/sensor`. */
export const sensorMetrics = [
  // Its limits are its tank's: levelLimits.
  gauge('levelMm', 'mm', 'Water above the diaphragm', 0, {
    meaning: "as measured: offset and tank shape are the server's business",
  }),
  // No battery of a farm device is below nothing, nor above extra-low voltage (IEC 61140: 60 V).
  gauge('batteryV', 'V', 'Battery', 2, between(0, 60)),
  flag('charging', 'Charging', { meaning: 'the charger is at work' }),
  flag('fault', 'Charger fault', { meaning: 'the charger is inhibited' }),
  rate('flowLpm', 'L/min', 'Flow', 1, { limits: FLOW_LPM }),
  state('flowDirection', '', 'Flow direction (0 in, 1 out)', 0, { values: [0, 1] }),
  counter('pulsesTotal', 'pulses', 'Pulses counted', 0, {
    meaning: `${rollsOver}. Prefer it: a lost message loses nothing`,
    isWhole: true,
  }),
  delta('pulses', 'pulses', 'Pulses since the last message', 0, {
    isWhole: true,
    total: 'pulsesTotal',
  }),
  gauge('swp1Kpa', 'kPa', 'Soil tension 1', 1, { limits: TENSION_KPA }),
  gauge('swp2Kpa', 'kPa', 'Soil tension 2', 1, { limits: TENSION_KPA }),
  gauge('swp3Kpa', 'kPa', 'Soil tension 3', 1, { limits: TENSION_KPA }),
  gauge('swp4Kpa', 'kPa', 'Soil tension 4', 1, { limits: TENSION_KPA }),
  // Air, water or a store: WMO goes to -80 °C, water boils.
  gauge('temperatureC', '°C', 'Temperature', 1, between(-60, 100)),
  counter('rainTipsTotal', 'tips of 0.2 mm', 'Rain tips counted', 0, { meaning: rollsOver, isWhole: true }),
  delta('rainTips', 'tips of 0.2 mm', 'Rain tips since the last message', 0, {
    isWhole: true,
    total: 'rainTipsTotal',
  }),
  setting('commsIntervalMin', 'min', 'Reporting interval', 0, { meaning: 'how often the sensor reports' }),
  gauge('commsQuality', '0-1', 'Share of messages received', 2, between(0, 1)),
  setting('highSetpoint', '%', 'Pump stops at', 0, between(0, 100)),
  setting('lowSetpoint', '%', 'Pump starts at', 0, between(0, 100)),
  flag('relayControl', 'Pump control on', { kind: 'setting' }),
  flag('relayState', 'Pump running'),
  flag('inputState', 'Float or remote input'),
  setting('maxRunTime', 'min', 'Longest pump run (0 = no limit)', 0, between(0, 1440)),
  flag('switch', 'Switch'),
  gauge('batteryPercent', '%', 'Battery', 0, { meaning: 'of a device that knows no more', ...charge }),
  // 65,535 is no distance but a register that is full.
  gauge('distanceMm', 'mm', 'Distance to the water', 0, {
    meaning: 'from the sensor down to the water',
    ...between(0, 60_000),
  }),
  // Capacitive sensors reach a little beyond both ends (Sensirion SHT3x: -6 to 119 %).
  gauge('humidityPercent', '%', 'Humidity of the air', 1, between(-6, 119)),
  // From a vacuum to the strongest pipe.
  gauge('pressureKpa', 'kPa', 'Pressure', 1, { meaning: 'in a pipe or pump', ...between(-101.4, 10_000) }),
  // WMO: 500 to 1080 hPa; mines and valleys a little more.
  gauge('airPressureKpa', 'kPa', 'Pressure of the air', 2, between(50, 115)),
  counter('rainTotalMm', 'mm', 'Rain counted', 1, { meaning: rollsOver }),
  delta('rainMm', 'mm', 'Rain since the last message', 1, { total: 'rainTotalMm' }),
  counter('volumeTotalL', 'L', 'Volume counted', 1, { meaning: rollsOver }),
  delta('volumeL', 'L', 'Volume since the last message', 1, { total: 'volumeTotalL' }),
  gauge('windSpeedMs', 'm/s', 'Wind speed', 1, between(0, 75)),
  gauge('windGustMs', 'm/s', 'Strongest gust', 1, between(0, 150)),
  gauge('windDirectionDeg', '°', 'Wind direction', 0, {
    meaning: 'from north, where it comes from',
    ...between(0, 360),
  }),
  // Outside the air there are 1361 W/m²; edges of clouds gave 1832 for moments. A little below nothing by night.
  gauge('solarWm2', 'W/m²', 'Solar radiation', 0, between(-20, 2000)),
  flag('valveOpen', 'Valve open'),
  flag('valve2Open', 'Valve 2 open'),
  flag('doorOpen', 'Door open', { meaning: 'door or lid' }),
  flag('leak', 'Water where none should be'),
  // A dry probe in air says a little less than nothing, one in water 100. % by volume
  ...soilDepths.map((depth) =>
    gauge(`vwc${depth}Percent`, '%', `Soil moisture ${depth}`, 1, {
      meaning: 'by volume, from the top down',
      ...between(-5, 100),
    }),
  ),
  ...soilDepths.map((depth) =>
    gauge(`soilTemperature${depth}C`, '°C', `Soil temperature ${depth}`, 1, {
      meaning: 'from the top down',
      ...soil,
    }),
  ),
  // Brine has 200 mS/cm.
  ...soilDepths.map((depth) =>
    gauge(`ec${depth}UsCm`, 'µS/cm', `Conductivity ${depth}`, 0, {
      meaning: 'from the top down',
      ...between(0, 200_000),
    }),
  ),
] as const satisfies readonly MetricInfo[];
type SensorRow = (typeof sensorMetrics)[number];
export type SensorMetric = SensorRow['name'];

/** What a network server knows of the radio link and the power of a sensor; no mapping names these. */
export const networkMetrics = [
  // LoRa hears down to -148 dBm and 20 dB below the noise; a margin has 6 bits with a sign.
  gauge('rssiDbm', 'dBm', 'Signal strength at the best gateway', 0, between(-200, 20)),
  gauge('snrDb', 'dB', 'Signal to noise at the best gateway', 1, between(-50, 50)),
  gauge('marginDb', 'dB', 'Margin of the last status request', 0, between(-32, 31)),
  flag('externalPower', 'External power'),
] as const satisfies readonly MetricInfo[];
export type NetworkMetric = (typeof networkMetrics)[number]['name'];

/** What people's tools add to what a sensor says; no device and no mapping names these. */
export const addedMetrics = [
  delta('rainTipsAdded', 'tips of 0.2 mm', 'Rain added', 1),
] as const satisfies readonly MetricInfo[];
export type AddedMetric = (typeof addedMetrics)[number]['name'];

/** Of sprinklers (`up/ipc`) and repeaters (`up/repeater`). */
export const unitMetrics = [
  gauge('charge', '%', 'Charge', 0, charge),
  // A unit that lost its clock is years off, and that is so.
  gauge('clock', 's', 'Clock drift', 0),
  gauge('hops', 'hops', 'Radio hops', 0, { isWhole: true }),
  flag('valve', 'Valve open'),
  state('scheduleNum', '', 'Schedule entries held', 0, { isWhole: true }),
  state('cycleDay', 'days', 'Day of the cycle', 0, { isWhole: true }),
  setting('cycleLen', 'days', 'Length of the cycle', 0, { isWhole: true }),
] as const satisfies readonly MetricInfo[];
export type UnitMetric = (typeof unitMetrics)[number]['name'];

type Port = 1 | 2 | 3 | 4 | 5 | 6;
export type IoMetric = `input${Port}` | `relay${Port}`;
export const ioPorts: readonly Port[] = [1, 2, 3, 4, 5, 6];

/** The six inputs and six relays of a gateway (`up/io`). */
export const ioMetrics: readonly (MetricInfo & { readonly name: IoMetric })[] = [
  ...ioPorts.map((port) => flag<IoMetric>(`input${port}`, `Input ${port}`)),
  ...ioPorts.map((port) => flag<IoMetric>(`relay${port}`, `Relay ${port}`)),
];

/** A value that a mapping names itself: `custom.` a value, `counter.` a running total. */
export type CustomMetric = `custom.${string}` | `counter.${string}`;
export const customMetricPattern = '^(?:custom|counter)\\.[a-z][a-z0-9-]{0,30}$';
const customMetric = new RegExp(customMetricPattern);
/** Each is a series of its own, kept for ever. */
export const maxCustomMetrics = 64;

export type Metric = SensorMetric | NetworkMetric | AddedMetric | CustomMetric | UnitMetric | IoMetric;

/** Every metric that has a row. */
export const allMetrics: readonly MetricInfo[] = [
  ...sensorMetrics,
  ...networkMetrics,
  ...addedMetrics,
  ...unitMetrics,
  ...ioMetrics,
];
const byName = new Map(allMetrics.map((info) => [info.name, info]));
const sensorNames = new Set<string>(sensorMetrics.map((info) => info.name));

export function metricInfo(name: string): MetricInfo | undefined {
  return byName.get(name) ?? (isCustomMetric(name) ? customInfo(name) : undefined);
}

const order = new Map([...byName.keys()].map((name, index) => [name, index]));

/** For lists: as they stand in our tables, then those that mappings name themselves, by name. */
export function metricOrder(one: string, other: string): number {
  const places = [one, other].map((name) => order.get(name) ?? order.size);
  return (places[0] ?? 0) - (places[1] ?? 0) || (one < other ? -1 : 1);
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
  const kind = group === 'counter' ? 'counter' : 'gauge';
  const none = { limits: null, digits: null, isWhole: false, values: null, total: null };
  return { name, unit: '', kind, type: 'number', label: slug, meaning: '', ...none };
}

type ValueOf<Row extends SensorRow> = Row['type'] extends 'boolean'
  ? boolean
  : Row['values'] extends readonly (infer Value)[]
    ? Value
    : number;

/** `values` of a sensor's message; null: the sensor reports an invalid value. */
export type SensorValues = { [Row in SensorRow as Row['name']]?: ValueOf<Row> | null };

/** Values by metric, with those that a mapping names itself. */
export type MappedValues = SensorValues & { readonly [metric: CustomMetric]: number | null };
