import type { Table } from './read-table.ts';

/** What a column of a table of sprinklers holds. */
export const sprinklerColumns = [
  'name',
  'serialNumber',
  'macAddress',
  'lat',
  'lng',
  'groups',
  'gateway',
  'channel',
  'farmId',
  'commsMode',
  'description',
] as const;
export type SprinklerColumn = (typeof sprinklerColumns)[number];

/** As lists of devices are headed, and as people head them. */
const headings: Record<SprinklerColumn, readonly string[]> = {
  name: ['name', 'unit', 'sprinkler', 'pod', 'ipc', 'label', 'position'],
  serialNumber: ['serialnumber', 'serial', 'serialno', 'sn', 'serialnr'],
  macAddress: ['macaddress', 'mac', 'deveui', 'eui'],
  lat: ['lat', 'latitude', 'y'],
  lng: ['lng', 'lon', 'long', 'longitude', 'x'],
  groups: ['groups', 'group', 'lateral', 'block', 'zone'],
  gateway: ['gateway', 'inc', 'basestation'],
  channel: ['channel', 'ch', 'radiochannel'],
  farmId: ['farmid', 'radiofarmid'],
  commsMode: ['commsmode', 'comms', 'mode', 'communication'],
  description: ['description', 'notes', 'note', 'comment', 'comments', 'remarks'],
};

const folded = (cell: string) => cell.toLowerCase().replaceAll(/[^a-z]/g, '');

const columnNamed = (heading: string): SprinklerColumn | null =>
  sprinklerColumns.find((column) => headings[column].includes(folded(heading))) ?? null;

/** Whether the first row names the columns: more of its cells are words that we know than not, or nothing in it is a value. */
export function hasHeadings({ rows: [first] }: Table): boolean {
  const cells = first?.cells.filter((cell) => cell !== '') ?? [];
  const known = cells.filter((cell) => columnNamed(cell) !== null).length;
  return cells.length > 0 && known * 2 >= cells.length;
}

/** What each column holds: by its heading, else by what stands in it. null: nothing that we take. No kind twice. */
export function guessColumns(table: Table, isHeaded: boolean): (SprinklerColumn | null)[] {
  const [first, ...rest] = table.rows;
  const rows = isHeaded ? rest : table.rows;
  const taken = new Set<SprinklerColumn>();
  const take = (column: SprinklerColumn | null) => {
    if (!column || taken.has(column)) return null;
    taken.add(column);
    return column;
  };
  const headings = Array.from({ length: table.width }, (_none, at) =>
    isHeaded ? (first?.cells[at] ?? '') : '',
  );
  const named = headings.map((heading) => take(columnNamed(heading)));
  return named.map((column, at) => {
    if (column || headings[at] !== '') return column;
    const cells = rows.flatMap(({ cells: row }) => row[at] || []);
    return take(
      guesses.find(([kind, is]) => !taken.has(kind) && cells.length > 0 && cells.every(is))?.[0] ?? null,
    );
  });
}

/** In the order of how sure they are. */
const guesses: readonly (readonly [SprinklerColumn, (cell: string) => boolean])[] = [
  [
    'macAddress',
    (cell) => /^([0-9A-F]{12}|[0-9A-F]{16})$/i.test(cell.replaceAll(/[\s:.-]/g, '')) && /[A-F:]/i.test(cell),
  ],
  ['farmId', (cell) => /^[0-9A-Z]{2}:[0-9A-Z]{2}$/i.test(cell)],
  ['commsMode', (cell) => /^(mesh|local|hybrid)$/i.test(cell)],
  // New Zealand and Australia lie south of the equator and east of 90° E: the sign and the size tell which is which.
  ['lat', (cell) => /^[-−]\d{1,2}[.,]\d{2,}$/.test(cell)],
  ['lng', (cell) => /^[-−]?\d{3}[.,]\d{2,}$/.test(cell)],
  ['name', (cell) => cell.length <= 5 && /\D/.test(cell)],
  ['serialNumber', (cell) => /^[\w-]{4,40}$/.test(cell) && /\d/.test(cell)],
];
