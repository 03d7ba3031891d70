import type { SensorMetric } from './metrics.ts';
import { type SoilDepth, soilDepths } from './soil-depths.ts';

/**
 * The normalized payload of The Things Stack: a list of measurements in names and units that are the same for all devices, made by
 * `normalizeUplink`. Names and units by lib/payload.json of its device repository.
 */

/** The member of a decoded object that has it, as in The Things Stack's messages. */
export const NORMALIZED = 'normalized_payload';

/** A measurement this far from when it was sent is of another time. */
const SAME_TIME_MS = 10 * 60_000;
const maxMeasurements = 64;

/** The decoded object with what was normalized beside it; the device's own member of that name stays. Null when there is neither. */
export function withNormalized(object: object | null, normalized: unknown): object | null {
  if (typeof normalized !== 'object' || normalized === null) return object;
  const list: unknown = Array.isArray(normalized) ? normalized : [normalized];
  return { [NORMALIZED]: list, ...object };
}

const open = { open: true, closed: false };
/** A line of a mapping. */
interface Line {
  path: string;
  metric: SensorMetric;
  unit?: string;
  text?: Record<string, boolean>;
}
const lines: readonly Line[] = [
  { path: 'battery', metric: 'batteryV' },
  { path: 'air.temperature', metric: 'temperatureC' },
  { path: 'air.relativeHumidity', metric: 'humidityPercent' },
  { path: 'air.pressure', metric: 'airPressureKpa', unit: 'hPa' },
  { path: 'wind.speed', metric: 'windSpeedMs' },
  { path: 'wind.direction', metric: 'windDirectionDeg' },
  { path: 'rain.cumulative', metric: 'rainTotalMm' },
  { path: 'water.temperature.current', metric: 'temperatureC' },
  { path: 'water.leak', metric: 'leak', text: { true: true, false: false } },
  { path: 'metering.water.total', metric: 'volumeTotalL' },
  { path: 'action.contactState', metric: 'doorOpen', text: open },
];
const soilLines = (depth: SoilDepth): readonly Line[] => [
  { path: 'soil.moisture', metric: `vwc${depth}Percent` },
  { path: 'soil.temperature', metric: `soilTemperature${depth}C` },
  { path: 'soil.ec', metric: `ec${depth}UsCm`, unit: 'dS/m' },
];

interface Measurement {
  readonly place: number;
  /** cm from the surface; null when it doesn't say. */
  readonly depth: number | null;
  readonly isOfSoil: boolean;
}

/** Lines that read the measurements of an object's normalized payload, and what is left out of it. Pure, never throws. */
export function normalizedEntries(
  object: unknown,
  at?: string,
): { entries: readonly Line[]; problems: string[] } {
  const list = memberOf(object, NORMALIZED);
  if (!Array.isArray(list)) return { entries: [], problems: [] };
  const all = list.slice(0, maxMeasurements);
  const now = [...all.entries()].filter(([, each]) => isOfTime(each, at));
  const measurements = now.map(([place, each]) => measurementOf(place, each));
  const left = list.length - now.length;
  const problems =
    left === 0
      ? []
      : [`${NORMALIZED}: ${left} of ${list.length} measurements are of other times and left out`];
  return { entries: entriesOf(measurements), problems };
}

function entriesOf(measurements: readonly Measurement[]): Line[] {
  const ofAll = measurements.flatMap(({ place }) => linesAt(place, lines));
  const soils = byDepth(measurements.filter(({ isOfSoil }) => isOfSoil)).slice(0, soilDepths.length);
  const ofSoil = soils.flatMap(({ place }, index) => linesAt(place, soilLines(soilDepths[index] ?? 1)));
  return [...ofAll, ...ofSoil];
}

const linesAt = (place: number, from: readonly Line[]): Line[] =>
  from.map((line) => ({ ...line, path: `${NORMALIZED}[${place}].${line.path}` }));

/** From the top down where all say how deep they are; else as they come. */
function byDepth(soils: readonly Measurement[]): readonly Measurement[] {
  if (soils.some(({ depth }) => depth === null)) return soils;
  return soils.toSorted((a, b) => (a.depth ?? 0) - (b.depth ?? 0));
}

function measurementOf(place: number, measurement: unknown): Measurement {
  const soil = memberOf(measurement, 'soil');
  const depth = memberOf(soil, 'depth');
  return { place, depth: typeof depth === 'number' ? depth : null, isOfSoil: soil !== undefined };
}

function isOfTime(measurement: unknown, at: string | undefined): boolean {
  const time = memberOf(measurement, 'time');
  if (typeof time !== 'string' || at === undefined) return true;
  // An unreadable time says nothing: neither NaN is near.
  return Math.abs(Date.parse(time) - Date.parse(at)) <= SAME_TIME_MS;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
}
