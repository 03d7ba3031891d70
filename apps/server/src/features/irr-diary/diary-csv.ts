import type { Timezone } from '@headrace/contract/farms';
import type { DiaryLog } from '@headrace/contract/irr-diary';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { csvLines, csvStart } from '@headrace/contract/rules/files/csv-text';

const COLUMNS = [
  'day',
  'sprinkler',
  'serial_number',
  'group',
  'schedule_group',
  'planned_start',
  'planned_stop',
  'planned_minutes',
  'start',
  'stop',
  'minutes',
  'minutes_least',
  'minutes_most',
  'mm',
  'mm_least',
  'mm_most',
  'litres',
  'litres_least',
  'litres_most',
  'rests_on',
  'outcome',
  'reasons',
  'part_sprinkler',
] as const;

/** What a file of the diary begins with. */
export const CSV_HEAD = csvStart(COLUMNS);

/** A line of each, in the order of the columns; times with the farm's offset. */
export const csvRows = (logs: readonly DiaryLog[], zone: Timezone): string =>
  csvLines(logs.map((log) => cellsOf(log, zone)));

function cellsOf(log: DiaryLog, zone: Timezone): (string | number | null)[] {
  const { planned, bounds, reasons } = log;
  const at = (time: string | null | undefined) => (time ? farmTime(time, zone) : null);
  const reasonCell = ({ code, at: time, by, note }: DiaryLog['reasons'][number]) =>
    [code, at(time), by, note && `(${note})`].filter(Boolean).join(' ');
  const range = (of: { least: number; most: number } | undefined) => [of?.least ?? null, of?.most ?? null];
  return [
    log.day,
    log.sprinkler,
    log.serialNumber,
    log.group,
    log.scheduleGroup,
    at(planned?.start),
    at(planned?.stop),
    planned?.minutes ?? null,
    at(log.start),
    at(log.stop),
    log.minutes,
    ...range(bounds?.minutes),
    log.mm,
    ...range(bounds?.mm),
    log.volume,
    ...range(bounds?.volume),
    log.basis,
    log.outcome,
    reasons.map(reasonCell).join('; '),
    log.isPartSprinkler ? 1 : 0,
  ];
}

/** "2026-11-25T05:12:00+13:00" */
function farmTime(time: string, zone: Timezone): string {
  const ms = Date.parse(time);
  const offset = farmOffsetSeconds(zone, ms);
  const size = Math.abs(offset) / 60;
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  const clock = new Date(ms + offset * 1000).toISOString().slice(0, 19);
  return `${clock}${offset < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`;
}
