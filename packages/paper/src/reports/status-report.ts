import type { MapUnit } from '@headrace/contract/map-units';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import type { LatLng } from '@headrace/contract/schemas';
import { countText } from '@headrace/contract/rules/number-text';
import { farmMap, type MapPoint } from '../charts/farm-map.ts';
import { type Made, paperOf, type Report, stamp, stampInZone } from '../made.ts';
import { numberText } from '../numbers.ts';
import type { Fact, Paper, Part } from '../paper.ts';
import { unitNotes, type UnitStatus, unitStatus } from './unit-notes.ts';

export interface StatusData {
  /** The group's, or the farm's. */
  readonly of: string;
  /** In the order in which they are listed. */
  readonly units: readonly MapUnit[];
  readonly filter: string;
  readonly sort: string;
  readonly boundary: readonly LatLng[];
  /** When the server told it, epoch ms: without a connection that is before the report was made. */
  readonly knownAt: number;
}

/** spec 2 §3.14 */
export interface StatusRow {
  readonly status: UnitStatus;
  readonly name: string;
  readonly serialNumber: string;
  readonly statusTime: string;
  readonly notes: string;
}

/** Some notes end in a full stop and some don't: where one ends has to be seen all the same. */
const NOTES_APART = ' · ';

export const statusRows = (units: readonly MapUnit[], { zone }: Pick<Made, 'zone'>): StatusRow[] =>
  units.map((unit) => ({
    status: unitStatus(unit),
    name: unit.name,
    serialNumber: unit.serial,
    statusTime: stamp(unit.statustime, zone),
    notes: unitNotes(unit).join(NOTES_APART),
  }));

const TITLE = 'Sprinklers Status Report';

/** The sprinklers of a map, as it lists them. */
export function statusReport(data: StatusData, made: Made): Report {
  const rows = statusRows(data.units, made);
  return { paper: statusPaper(data, rows, made), csv: statusCsv(rows) };
}

const statusCsv = (rows: readonly StatusRow[]): string =>
  writeCsv([
    ['status', 'name', 'serialNumber', 'statusTime', 'notes'],
    ...rows.map(({ status, name, serialNumber, statusTime, notes }) => [
      status.text,
      name,
      serialNumber,
      statusTime,
      notes,
    ]),
  ]);

function statusPaper(data: StatusData, rows: readonly StatusRow[], made: Made): Paper {
  const parts: Part[] = [{ kind: 'facts', facts: factsOf(data, rows, made) }];
  if (rows.length === 0) parts.push({ kind: 'text', text: `The filter ${data.filter} lists no sprinklers.` });
  else parts.push(...mapOf(data, rows), tableOf(rows));
  return paperOf(made, { title: TITLE, parts });
}

function factsOf(
  { of, units, filter, sort, knownAt }: StatusData,
  rows: readonly StatusRow[],
  made: Made,
): Fact[] {
  const heard = units.map(({ statustime }) => statustime).filter((at) => at > 0);
  const never = units.length - heard.length;
  const { zone } = made;
  const ends = (at: number) => (heard.length === 0 ? stamp(null, zone) : stampInZone(at, zone));
  return [
    ['Sprinklers', `${numberText(units.length)} of ${of}`],
    ['Known as of', stampInZone(knownAt, zone)],
    ['Filter', filter],
    ['Sorted by', sort],
    ['Newest status', ends(heard.reduce((most, at) => Math.max(most, at), 0))],
    ['Oldest status', ends(heard.reduce((least, at) => Math.min(least, at), Infinity))],
    ['Never heard', never === 0 ? 'None' : countText(never, 'sprinkler')],
    [
      'Status',
      countsOf(rows)
        .map(({ text }) => text)
        .join(', ') || 'None',
    ],
  ];
}

/** How many rows have each status, the most first. */
function countsOf(rows: readonly StatusRow[]): { status: UnitStatus; text: string }[] {
  const counts = new Map<string, { status: UnitStatus; count: number }>();
  for (const { status } of rows) {
    const known = counts.get(status.text);
    counts.set(status.text, { status, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()]
    .toSorted((one, other) => other.count - one.count)
    .map(({ status, count }) => ({ status, text: `${numberText(count)} ${status.text}` }));
}

function mapOf({ units, boundary, of }: StatusData, rows: readonly StatusRow[]): Part[] {
  const points = units.flatMap(({ lat, lng }, n): MapPoint[] =>
    lat === null || lng === null ? [] : [{ lat, lng, mark: rows[n]?.status.mark ?? 'ok' }],
  );
  const counts = countsOf(rows.filter((_row, n) => units[n]?.lat !== null && units[n]?.lng !== null));
  const drawing = farmMap(
    boundary,
    points,
    counts.map(({ status, text }) => [status.mark, text]),
  );
  if (!drawing) return [{ kind: 'text', text: 'None of these sprinklers has a location.' }];
  const unplaced = units.length - points.length;
  const words = `Map of ${of} with ${countText(points.length, 'sprinkler')}: ${counts.map(({ text }) => text).join(', ')}.`;
  const note = `${countText(unplaced, 'sprinkler has', 'sprinklers have')} no location and ${unplaced === 1 ? 'is' : 'are'} not on the map.`;
  return [
    { kind: 'figure', words, drawing },
    ...(unplaced > 0 ? [{ kind: 'text', text: note } as const] : []),
  ];
}

const tableOf = (rows: readonly StatusRow[]): Part => ({
  kind: 'table',
  summary: 'Sprinklers with their status, the time of it, and what is to be said of each',
  columns: [
    { title: 'STATUS' },
    { title: 'NAME', isRowHead: true },
    { title: 'SERIAL NUMBER' },
    { title: 'STATUS TIME' },
    { title: 'NOTES', isLong: true },
  ],
  rows: rows.map(({ status, name, serialNumber, statusTime, notes }) => [
    status,
    name,
    serialNumber,
    statusTime,
    notes,
  ]),
});
