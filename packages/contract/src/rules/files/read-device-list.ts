import { plainCell } from './csv-text.ts';
import {
  FILE_CHARACTERS_MAX,
  type FileRead,
  type FileUnit,
  foreignFile,
  overlong,
  shown,
  tooManyUnits,
  type UnitField,
  unread,
} from './file-units.ts';
import { doubledColumn, readTable, type TableRow, withHeads } from './read-table.ts';
import { guessColumns, type SprinklerColumn } from './sprinkler-columns.ts';
import { readDegrees, readWhole, refuseScientific } from './sprinkler-rows.ts';

/** Columns that are taken; the table of many sprinklers knows some more. */
const TAKEN: readonly (SprinklerColumn & UnitField)[] = [
  'name',
  'serialNumber',
  'macAddress',
  'farmId',
  'channel',
  'groups',
  'lat',
  'lng',
];
/** A farm's sprinklers, and all else that devices.csv lists. */
const ROWS_MAX = 20_000;
const kinds: Readonly<Record<string, FileUnit['kind']>> = {
  sprinkler: 'sprinkler',
  pod: 'sprinkler',
  ipc: 'sprinkler',
  repeater: 'repeater',
};

/** A list of devices (CSV): its first row names the columns, in any order. `devices.csv` says the kind of each, too. spec 2 §5 */
export function readDeviceList(text: string): FileRead {
  const foreign = foreignFile(text, ['podlist', 'sparelist', 'schedules']);
  if (foreign !== null) return unread(foreign.fault, foreign.suggested);
  const table = readTable(text, { characters: FILE_CHARACTERS_MAX, rows: ROWS_MAX });
  if (table.fault !== null) return unread(table.fault);
  const [head] = table.rows;
  const { heads, rows, repeated } = withHeads(table);
  const columns = guessColumns({ ...table, rows: head ? [head] : [] }, true);
  // IPC1 is a value, not a heading.
  const isHead = (column: SprinklerColumn | null, index: number) =>
    (column === 'name' || column === 'serialNumber') && !/\d/.test(head?.cells[index] ?? '');
  if (!head || !columns.some(isHead))
    return unread(
      'The first row must name the columns, such as name;serial_number;mac_address;farm_id;channel;group;latitude;longitude.',
    );
  const doubled = doubledColumn(heads, (index) => isTaken(columns[index]));
  if (doubled !== null) return unread(doubled);
  const at = { columns, heads, kind: heads.indexOf('kind'), state: heads.indexOf('state') };
  const notes: string[] = [];
  const units: FileUnit[] = [];
  let besides = 0;
  for (const row of rows) {
    const kind = at.kind < 0 ? 'sprinkler' : kinds[row.cells[at.kind]?.toLowerCase() ?? ''];
    const isPlaceholder = row.cells[at.state]?.toLowerCase() === 'placeholder';
    if (kind && !isPlaceholder) units.push(unitOf(row, kind, at));
    else besides += 1;
  }
  const unknown = heads.filter(
    (name, index) => name !== '' && index !== at.kind && index !== at.state && !isTaken(columns[index]),
  );
  if (unknown.length > 0)
    notes.push(`Columns that are left out: ${unknown.slice(0, 10).map(shown).join(', ')}.`);
  if (repeated > 0)
    notes.push(
      `${repeated} ${repeated === 1 ? 'row repeats' : 'rows repeat'} the names of the columns and ${repeated === 1 ? 'is' : 'are'} left out.`,
    );
  if (besides > 0)
    notes.push(
      `${besides} ${besides === 1 ? 'row is' : 'rows are'} neither a sprinkler nor a repeater and left out.`,
    );
  const tooMany = tooManyUnits(units);
  if (tooMany !== null) return unread(tooMany);
  return { units, fault: units.length === 0 ? 'The file lists no devices.' : null, notes };
}

const isTaken = (column: SprinklerColumn | null | undefined): boolean =>
  TAKEN.some((taken) => taken === column);

interface At {
  readonly columns: readonly (SprinklerColumn | null)[];
  readonly heads: readonly string[];
  readonly state: number;
}

function unitOf(row: TableRow, kind: FileUnit['kind'], { columns, heads, state }: At): FileUnit {
  const faults: string[] = [];
  const placeOf = (column: SprinklerColumn) =>
    `Row ${row.row}, column ${shown(heads[columns.indexOf(column)] ?? column)}`;
  const tell = (column: SprinklerColumn, fault: string) => faults.push(`${placeOf(column)}: ${fault}`);
  const cells = new Map(
    TAKEN.flatMap((column): [SprinklerColumn, string][] => {
      const text = row.cells[columns.indexOf(column)] ?? '';
      const fault = overlong(text, column === 'groups' ? 'groups' : 'others');
      if (fault === null) return [[column, plainCell(text)]];
      tell(column, fault);
      return [];
    }),
  );
  const cell = (column: SprinklerColumn) => cells.get(column) || undefined;
  const read = <T>(column: SprinklerColumn, as: (text: string) => T | string): T | undefined => {
    const text = cell(column);
    const value = text === undefined ? undefined : as(text);
    if (typeof value !== 'string') return value;
    tell(column, value);
    return undefined;
  };
  if (row.cells.length > heads.length)
    faults.push(
      `Row ${row.row}: it has ${row.cells.length} cells, and the first row ${heads.length}. Put a cell with the separator in it in quotation marks.`,
    );
  for (const column of ['serialNumber', 'macAddress'] as const) read(column, refuseScientific);
  const [lat, lng] = [read('lat', readDegrees), read('lng', readDegrees)];
  // Nothing stands in the sea off Africa: such a row has no place.
  const place = lat === 0 && lng === 0 ? {} : { lat, lng };
  return {
    line: row.row,
    kind,
    name: cell('name'),
    serialNumber: cell('serialNumber'),
    macAddress: cell('macAddress'),
    farmId: cell('farmId'),
    channel: read('channel', readWhole),
    groups: cell('groups'),
    ...place,
    at: {
      row: `Row ${row.row}`,
      ...Object.fromEntries(
        [...cells].flatMap(([column, text]) => (text === '' ? [] : [[column, placeOf(column)]])),
      ),
    },
    ...(state >= 0 && row.cells[state]?.toLowerCase() === 'spare' && { isSpare: true }),
    faults,
  };
}
