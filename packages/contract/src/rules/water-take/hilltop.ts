import type { StandardTime } from './clock.ts';
import { gapsOf } from './gaps.ts';
import type { TakeRow } from './rows.ts';

/** One place of a take, as its council calls it. */
export interface HilltopPlace {
  readonly site: string;
  readonly measure: string;
  readonly rows: readonly TakeRow[];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Volumes in the transfer format of Hilltop, after Hawke's Bay Regional Council's of January 2015. Each value is what was taken since the
 * time before it: a gap is one value at its end where the counter knows its total, and begins a new measurement where it does not.
 * `leavesGapsOut`: such a value isn't written, for councils that want that.
 */
export function hilltopXml(
  agency: string,
  places: readonly HilltopPlace[],
  { time, leavesGapsOut = false }: { time: StandardTime; leavesGapsOut?: boolean },
): string {
  const measurements = places.flatMap(({ rows, ...place }) =>
    blocksOf(rows, leavesGapsOut).map((values) => measurement(place, values, time)),
  );
  return [
    '<?xml version="1.0"?>',
    '<Hilltop>',
    `<Agency>${escaped(agency)}</Agency>`,
    ...measurements,
    '</Hilltop>',
    '',
  ].join('\n');
}

interface Value {
  readonly end: number;
  readonly m3: number;
}

/** Values that follow each other, in blocks: the first value of a block tells of its own quarter alone. */
function blocksOf(rows: readonly TakeRow[], leavesGapsOut: boolean): Value[][] {
  const totals = new Map(gapsOf(rows).map(({ to, m3 }) => [to, leavesGapsOut ? null : m3]));
  const blocks: Value[][] = [];
  let open: Value[] | null = null;
  for (const { end, m3, state } of rows) {
    if (state === 'missing' && !totals.has(end)) continue;
    // At the start of a block nothing shows since when a gap's total counts.
    const value: number | null = state === 'missing' ? ((open && totals.get(end)) ?? null) : m3;
    if (value === null) open = null;
    else if (open) open.push({ end, m3: value });
    else blocks.push((open = [{ end, m3: value }]));
  }
  return blocks;
}

function measurement(
  { site, measure }: Omit<HilltopPlace, 'rows'>,
  values: readonly Value[],
  time: StandardTime,
): string {
  return [
    `<Measurement SiteName="${escaped(site)}">`,
    `<DataSource Name="${escaped(measure)}" NumItems="1">`,
    '<Interpolation>Incremental</Interpolation>',
    '</DataSource>',
    '<Data DateFormat="Calendar">',
    ...values.map(({ end, m3 }) => `<V>${calendarText(time, end)} ${m3.toFixed(3)}</V>`),
    '</Data>',
    '</Measurement>',
  ].join('\n');
}

/** "22-Nov-2026 00:15:00": midnight is the next day's. */
function calendarText({ offsetMs }: StandardTime, at: number): string {
  const local = new Date(at + offsetMs);
  const day = String(local.getUTCDate()).padStart(2, '0');
  const month = MONTHS[local.getUTCMonth()] ?? '';
  return `${day}-${month}-${local.getUTCFullYear()} ${local.toISOString().slice(11, 19)}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
