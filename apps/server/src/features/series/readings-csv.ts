import type { Timezone } from '@headrace/contract/farms';
import { csvLines, csvStart } from '@headrace/contract/rules/files/csv-text';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import type { DeviceKind } from '../../db/schema.ts';

/** Whose values these are, and what they are. */
export interface Column {
  readonly kind: DeviceKind;
  readonly name: string;
  readonly serialNumber: string;
  readonly metric: string;
  readonly unit: string;
}

const COLUMNS = ['time', 'time_utc', 'kind', 'device', 'serial_number', 'metric', 'unit', 'value'] as const;

/** What a file begins with. */
export const readingsHead = (each: 'reading' | 'hour' | 'day'): string =>
  csvStart(each === 'reading' ? COLUMNS : [...COLUMNS, 'lowest', 'highest', 'readings']);

type Figure = number | null;

/**
 * Lines of values at their times (epoch ms). The texts of a series are made safe once: millions of lines repeat them. Numbers need no
 * quotation marks, and spreadsheets take no number for a formula.
 */
export function createLines(zone: Timezone, column: Column) {
  const { kind, name, serialNumber, metric, unit } = column;
  const texts = csvLines([[kind, name, serialNumber, metric, unit]]).slice(0, -2);
  return (at: number, ...figures: readonly Figure[]): string =>
    `${localTime(zone, at)},${utcTime(at)},${texts},${figures.map((figure) => figure ?? '').join(',')}\r\n`;
}

/** Without fractions where there are none. */
const clock = (at: number) => new Date(at).toISOString().slice(0, at % 1000 === 0 ? 19 : 23);
const utcTime = (at: number) => `${clock(at)}Z`;

/** As the farm's clocks show it, and how far they are from UTC: an hour that comes twice is told apart. */
function localTime(zone: Timezone, at: number): string {
  const offset = farmOffsetSeconds(zone, at);
  const minutes = Math.abs(Math.round(offset / 60));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${clock(at + offset * 1000)}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
