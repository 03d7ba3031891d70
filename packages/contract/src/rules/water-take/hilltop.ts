import { byDay, quarterTexts, type StandardTime } from './clock.ts';
import { gapsOf } from './gaps.ts';
import type { TakeRow } from './rows.ts';

/** One place of a take, as its council calls it. */
export interface HilltopPlace {
  readonly site: string;
  readonly measure: string;
  /** They are gone through twice. */
  readonly rows: Iterable<TakeRow>;
}

interface HilltopOptions {
  readonly time: StandardTime;
  readonly leavesGapsOut?: boolean;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Volumes in the transfer format of Hilltop, after Hawke's Bay Regional Council's of January 2015, in pieces. Each value is what was taken
 * since the time before it: a gap is one value at its end where the counter knows its total, and begins a new measurement where it does
 * not. `leavesGapsOut`: such a value isn't written, for councils that want that.
 */
export function* hilltopXml(
  agency: string,
  places: readonly HilltopPlace[],
  options: HilltopOptions,
): Generator<string, void> {
  yield `<?xml version="1.0"?>\n<Hilltop>\n<Agency>${escaped(agency)}</Agency>\n`;
  for (const place of places) yield* measurements(place, options);
  yield '</Hilltop>\n';
}

function* measurements(
  { rows, ...place }: HilltopPlace,
  { time, leavesGapsOut = false }: HilltopOptions,
): Generator<string, void> {
  let isOpen = false;
  const { clock } = quarterTexts(time);
  const day = byDay(time, (start) => calendarDay(time, start));
  for (const value of valuesOf(rows, leavesGapsOut)) {
    if (value && !isOpen) yield headOf(place);
    if (value) yield `<V>${day(value.end)} ${clock(value.end)}:00 ${value.m3.toFixed(3)}</V>\n`;
    else if (isOpen) yield FOOT;
    isOpen = value !== null;
  }
  if (isOpen) yield FOOT;
}

interface Value {
  readonly end: number;
  readonly m3: number;
}

/** Values that follow each other; null: what comes next tells of its own quarter alone. */
function* valuesOf(rows: Iterable<TakeRow>, leavesGapsOut: boolean): Generator<Value | null, void> {
  const totals = new Map(gapsOf(rows).map(({ to, m3 }) => [to, leavesGapsOut ? null : m3]));
  let isOpen = false;
  for (const { end, m3, state } of rows) {
    if (state === 'missing' && !totals.has(end)) continue;
    // At the start of a measurement nothing shows since when a gap's total counts.
    const total: number | null = isOpen ? (totals.get(end) ?? null) : null;
    const value: number | null = state === 'missing' ? total : m3;
    isOpen = value !== null;
    yield value === null ? null : { end, m3: value };
  }
}

const headOf = ({ site, measure }: Omit<HilltopPlace, 'rows'>): string =>
  [
    `<Measurement SiteName="${escaped(site)}">`,
    `<DataSource Name="${escaped(measure)}" NumItems="1">`,
    '<Interpolation>Incremental</Interpolation>',
    '</DataSource>',
    '<Data DateFormat="Calendar">',
    '',
  ].join('\n');
const FOOT = '</Data>\n</Measurement>\n';

/** "22-Nov-2026": midnight is the next day's. */
function calendarDay({ offsetMs }: StandardTime, at: number): string {
  const local = new Date(at + offsetMs);
  const day = String(local.getUTCDate()).padStart(2, '0');
  return `${day}-${MONTHS[local.getUTCMonth()] ?? ''}-${local.getUTCFullYear()}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
