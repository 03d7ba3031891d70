import { commsModes } from '../../comms-modes.ts';
import type { LatLng } from '../../schemas.ts';
import { validateDevice } from '../device-form.ts';
import { validateFarPlace, farFrom, type Land } from '../far-place.ts';
import { overlong } from './file-units.ts';
import type { Table, TableRow } from './read-table.ts';
import type { SprinklerColumn } from './sprinkler-columns.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What rows are judged by: the farm's groups and gateways, and the names its sprinklers have. */
interface PlacedNamed extends Named {
  /** Its own; null: none. */
  readonly place?: LatLng | null | undefined;
}

export interface FarmOfRows {
  readonly groups: readonly Named[];
  readonly gateways: readonly PlacedNamed[];
  /** null: not known. */
  readonly land?: Land | null | undefined;
  readonly names: readonly string[];
}

/** What a row says, for the form's rules and the server. undefined: it says nothing. */
export interface RowEntry {
  readonly name: string;
  readonly serialNumber: string;
  readonly macAddress: string;
  readonly description?: string | undefined;
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly gatewayUID?: string | undefined;
  readonly channel?: number | undefined;
  readonly farmId?: string | undefined;
  readonly commsMode?: number | undefined;
}

export interface CellFault {
  readonly column: SprinklerColumn;
  /** A sentence. */
  readonly text: string;
}

export interface PlannedRow {
  readonly row: number;
  readonly entry: RowEntry;
  /** Why it can't be added. */
  readonly faults: readonly CellFault[];
  /** What to know of it that doesn't keep it from being added. */
  readonly notes: readonly string[];
}

/** What each row would do, without asking the server: it alone knows of other serial numbers and MACs. */
export function planRows(
  table: Table,
  columns: readonly (SprinklerColumn | null)[],
  isHeaded: boolean,
  farm: FarmOfRows,
): PlannedRow[] {
  const known = new Set(farm.names.map(foldedName));
  return table.rows.slice(isHeaded ? 1 : 0).map((row) => {
    const planned = planRow(row, columns, farm);
    const name = foldedName(planned.entry.name);
    const twin = name !== '' && known.has(name) ? ['Another sprinkler has this name.'] : [];
    known.add(name);
    const { fault, note } = judgePlace(planned.entry, farm);
    return {
      ...planned,
      faults: fault === null ? planned.faults : [...planned.faults, { column: 'lat' as const, text: fault }],
      notes: note === null ? twin : [...twin, note],
    };
  });
}

/** Of a place: why it can't be, and what to know of one that is hardly meant. */
function judgePlace(
  { lat, lng, gatewayUID }: RowEntry,
  { land, gateways }: FarmOfRows,
): { fault: string | null; note: string | null } {
  const isPlace = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  if (!land || !isPlace) return { fault: null, note: null };
  const fault = validateFarPlace({ lat, lng }, land);
  const gateway = gateways.find(({ id }) => id === gatewayUID);
  const far =
    fault === null
      ? farFrom({ lat, lng }, land, gateway?.place ? { ...gateway.place, name: gateway.name } : null)
      : null;
  return { fault, note: far === null ? null : `This place is ${far}.` };
}

const foldedName = (name: string) => name.trim().toLowerCase();

function planRow({ row, cells }: TableRow, columns: readonly (SprinklerColumn | null)[], farm: FarmOfRows) {
  const faults: CellFault[] = [];
  const text = (column: SprinklerColumn) => cells[columns.indexOf(column)]?.trim() ?? '';
  const said = <T>(column: SprinklerColumn, read: (cell: string) => T | string): T | undefined => {
    const cell = text(column);
    if (!columns.includes(column) || cell === '') return undefined;
    const value = overlong(cell, column === 'groups' ? 'groups' : 'others') ?? read(cell);
    if (typeof value !== 'string') return value;
    faults.push({ column, text: value });
    return undefined;
  };
  const lat = said('lat', readDegrees);
  const lng = said('lng', readDegrees);
  // Nothing stands in the sea off Africa: such a row has no place.
  const place = lat === 0 && lng === 0 ? {} : { lat, lng };
  for (const column of ['serialNumber', 'macAddress'] as const) said(column, refuseScientific);
  const entry: RowEntry = {
    name: text('name'),
    serialNumber: text('serialNumber'),
    macAddress: text('macAddress'),
    ...(text('description') && { description: text('description') }),
    ...place,
    groups: said('groups', (cell) => idsOf(cell.split(/[;|,]/), farm.groups, 'group')),
    gatewayUID: said('gateway', (cell) => idsOf([cell], farm.gateways, 'gateway'))?.[0],
    channel: said('channel', readWhole),
    farmId: text('farmId') || undefined,
    commsMode: said('commsMode', readMode),
  };
  return { row, entry, faults: [...faults, ...ruleFaults(entry, faults)] };
}

/** By the form's own rules. A MAC may still be found by its serial number. */
function ruleFaults(entry: RowEntry, found: readonly CellFault[]): CellFault[] {
  const { lat, lng } = entry;
  if (lat !== undefined && lng !== undefined && Math.abs(lat) > 90 && Math.abs(lng) <= 90)
    return [{ column: 'lat', text: 'Latitude and longitude are the wrong way round: swap the columns.' }];
  const isToBeFound = entry.macAddress === '' && entry.serialNumber !== '';
  const fieldErrors = validateDevice('sprinkler', {
    ...entry,
    ...(isToBeFound && { macAddress: '0004A3000001' }),
  });
  return (Object.entries(fieldErrors) as [SprinklerColumn, string][])
    .filter(([column]) => !found.some((fault) => fault.column === column))
    .map(([column, text]) => ({ column, text }));
}

/** -43.75, −43,75, 43.75 S. Of two runs of blanks side by side each way to part them would be tried. */
export function readDegrees(cell: string): number | string {
  const parts = /^([+\-−]?)\s*(\d+(?:[.,]\d+)?)\s*(?:°\s*)?([NSEW]?)$/i.exec(cell);
  if (!parts) return `'${short(cell)}' isn't a number of degrees, like -43.75.`;
  const [, sign = '', digits = '', side = ''] = parts;
  const degrees = Number(digits.replace(',', '.'));
  return sign === '-' || sign === '−' || /[SW]/i.test(side) ? -degrees : degrees;
}

export const readWhole = (cell: string): number | string =>
  /^\d{1,6}$/.test(cell) ? Number(cell) : `'${short(cell)}' isn't a whole number.`;

function readMode(cell: string): number | string {
  const modes = Object.entries(commsModes).filter(([word]) => word !== 'LoRa');
  const found = modes.find(
    ([word, mode]) => word.toLowerCase() === cell.toLowerCase() || String(mode) === cell,
  );
  return found ? found[1] : `'${short(cell)}' isn't Mesh, Local or Hybrid.`;
}

/** What a spreadsheet makes of a long number; the digits are lost. */
export const refuseScientific = (cell: string): null | string =>
  /^\d([.,]\d+)?E\+?\d+$/i.test(cell)
    ? `'${short(cell)}' is what the spreadsheet made of a long number. Format the column as text and copy again.`
    : null;

function idsOf(names: readonly string[], known: readonly Named[], what: string): string[] | string {
  const ids: string[] = [];
  for (const name of names.map((one) => one.trim()).filter(Boolean)) {
    const found = known.find((one) => foldedName(one.name) === foldedName(name));
    if (!found) return `The farm has no ${what} ${short(name)}.`;
    ids.push(found.id);
  }
  return ids;
}

const short = (cell: string) => (cell.length > 40 ? `${cell.slice(0, 39)}…` : cell);

/** What the server knows of a row that is fine so far. */
export interface CheckedRow {
  readonly macAddress: string;
  readonly serialNumberFault: string | null;
  readonly macAddressFault: string | null;
}

/** The row with the MAC that was found, and with what others have of it. */
export function withChecked(planned: PlannedRow, checked: CheckedRow): PlannedRow {
  const { macAddress, serialNumberFault, macAddressFault } = checked;
  const unknown =
    macAddress === '' ? 'This serial number is not in the register: enter the MAC from its label.' : null;
  const faults: CellFault[] = [];
  if (serialNumberFault) faults.push({ column: 'serialNumber', text: serialNumberFault });
  const macText = macAddressFault ?? unknown;
  // The same device says both: once is enough.
  if (macText && !serialNumberFault) faults.push({ column: 'macAddress', text: macText });
  return { ...planned, entry: { ...planned.entry, macAddress }, faults: [...planned.faults, ...faults] };
}
