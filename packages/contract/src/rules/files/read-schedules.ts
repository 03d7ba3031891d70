import type { ImportType } from '../../imports.ts';
import { SCHEDULE_SETS_PER_FARM } from '../../limits.ts';
import { MOST_ENTRIES } from '../schedule/plan.ts';
import { plainCell } from './csv-text.ts';
import { FILE_CHARACTERS_MAX, foreignFile, shown } from './file-units.ts';
import { doubledColumn, readTable, type TableRow, withHeads } from './read-table.ts';
import { wholeText } from '../number-text.ts';

/** What a file has for one sprinkler of a set, in one line of its group. */
export interface FileTurn {
  readonly line: number;
  readonly serialNumber: string;
  readonly name: string;
  readonly group: string;
  /** The group, or `group/2`. */
  readonly scheduleGroup: string;
  readonly schedules: readonly {
    readonly start: number;
    readonly duration: number;
    readonly cycle: number;
  }[];
}

export interface FileSet {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly name: string;
  /** Of the set that it was written of, where the file says so. */
  readonly uid?: string;
  /** min */
  readonly cycleLen: number;
  readonly turns: readonly FileTurn[];
  /** Why it can't be taken: sentences, each with its row. A set of which a part is missing would water wrongly. */
  readonly faults: readonly string[];
}

export interface SchedulesRead {
  readonly sets: readonly FileSet[];
  /** Why the file can't be read: a sentence. */
  readonly fault: string | null;
  /** By which type it can be read, where another one was chosen. */
  readonly suggested?: ImportType | undefined;
}

/** What an export writes is what an import reads. */
export const SCHEDULE_COLUMNS = [
  'set',
  'group',
  'schedule_group',
  'serial_number',
  'name',
  'cycle',
  'start',
  'duration',
  'cycle_len',
] as const;
type Column = (typeof SCHEDULE_COLUMNS)[number];
const NEEDED: readonly Column[] = ['set', 'group', 'serial_number', 'start', 'duration'];
/** Waterings of a file: 5,000 sprinklers with the most that each keeps, and as many again. */
export const WATERINGS_MAX = 250_000;
const DAY = 1440;
const unread = (fault: string, suggested?: ImportType): SchedulesRead => ({
  sets: [],
  fault,
  ...(suggested && { suggested }),
});

/** Schedule sets (CSV): a row for each watering. Starts are minutes of the cycle, or HH:mm of its day. spec 2 §5 */
export function readSchedules(text: string): SchedulesRead {
  const foreign = foreignFile(text, ['schedules']);
  if (foreign !== null) return unread(foreign.fault, foreign.suggested);
  const table = readTable(text, { characters: FILE_CHARACTERS_MAX, rows: WATERINGS_MAX });
  if (table.fault !== null) return unread(table.fault);
  const { heads: names, rows } = withHeads(table);
  const missing = NEEDED.filter((column) => !names.includes(column));
  if (missing.length > 0)
    return unread(`The first row must name the columns. Not there: ${missing.join(', ')}.`);
  const doubled = doubledColumn(names, (index) => SCHEDULE_COLUMNS.some((column) => column === names[index]));
  if (doubled !== null) return unread(doubled);
  const at = new Map(SCHEDULE_COLUMNS.map((column) => [column, names.indexOf(column)]));
  const sets = new Map<string, SetBuilder>();
  for (const row of rows) {
    const cell = (column: Column) => plainCell(row.cells[at.get(column) ?? -1] ?? '');
    const name = cell('set');
    // As the farm's sets are told apart: upper and lower case are alike.
    const key = name.toLowerCase();
    const known = sets.get(key);
    const set = known ?? new SetBuilder(row.row, name);
    if (!known) sets.set(key, set);
    if (sets.size > SCHEDULE_SETS_PER_FARM)
      return unread(
        `The file has more than ${SCHEDULE_SETS_PER_FARM} schedule sets. A farm has ${SCHEDULE_SETS_PER_FARM} at most: please divide it.`,
      );
    set.add(row, cell);
  }
  if (sets.size === 0) return unread('The file has no waterings.');
  return { sets: [...sets.values()].map((set) => set.done()), fault: null };
}

/** A set of which a file says by itself what it has: each watering by its line and columns. */
export function fileSet(
  { line, name, uid }: { readonly line: number; readonly name: string; readonly uid: string },
  waterings: readonly { readonly line: number; readonly texts: Readonly<Partial<Record<Column, string>>> }[],
): FileSet {
  const set = new SetBuilder(line, name);
  for (const { line: row, texts } of waterings) set.add({ row }, (column) => texts[column] ?? '');
  return { ...set.done(), ...(uid !== '' && { uid }) };
}

interface Turn extends FileTurn {
  readonly schedules: { start: number; duration: number; cycle: number }[];
}

/** A set as its rows come. */
class SetBuilder {
  private readonly turns = new Map<string, Turn>();
  private readonly faults: string[] = [];
  private cycleLen = '';

  constructor(
    private readonly line: number,
    private readonly name: string,
  ) {
    if (name === '') this.faults.push(`Row ${line}, column set: it is empty. Give the set a name.`);
  }

  add({ row }: Pick<TableRow, 'row'>, cell: (column: Column) => string): void {
    const tell = (column: Column, fault: string) =>
      this.faults.push(`Row ${row}, column ${column}: ${fault}`);
    const start = startOf(cell('start'), cell('cycle'));
    const duration = wholeIn(cell('duration'), 1, DAY);
    if (typeof start === 'string') tell('start', start);
    if (typeof duration === 'string') tell('duration', duration);
    const serialNumber = cell('serial_number');
    if (serialNumber === '') tell('serial_number', 'it is empty. Add the serial number of the sprinkler.');
    const said = cell('cycle_len');
    if (said !== '' && this.cycleLen !== '' && said !== this.cycleLen)
      tell(
        'cycle_len',
        `'${shown(said)}', and before '${shown(this.cycleLen)}'. A set has one: correct one of them.`,
      );
    this.cycleLen ||= said;
    if (typeof start === 'string' || typeof duration === 'string') return;
    const group = cell('group');
    const scheduleGroup = cell('schedule_group') || group;
    const key = JSON.stringify([serialNumber.toLowerCase(), scheduleGroup.toLowerCase()]);
    const turn = this.turns.get(key) ?? {
      line: row,
      serialNumber,
      name: cell('name'),
      group,
      scheduleGroup,
      schedules: [],
    };
    this.turns.set(key, turn);
    turn.schedules.push({ start, duration, cycle: Math.floor(start / DAY) + 1 });
    if (turn.schedules.length === MOST_ENTRIES + 1)
      tell(
        'start',
        `'${shown(serialNumber)}' has more than ${MOST_ENTRIES} waterings. Take some of them out.`,
      );
  }

  done(): FileSet {
    const turns = [...this.turns.values()].map((turn) => ({
      ...turn,
      schedules: turn.schedules.toSorted((one, other) => one.start - other.start),
    }));
    const isTwoDays = turns.some(({ schedules }) => schedules.some(({ cycle }) => cycle > 1));
    const said = this.cycleLen === '' ? (isTwoDays ? 2 : 1) * DAY : wholeIn(this.cycleLen, 1, 2 * DAY);
    const faults =
      typeof said === 'string'
        ? [...this.faults, `Row ${this.line}, column cycle_len: ${said}`]
        : this.faults;
    return {
      line: this.line,
      name: this.name,
      cycleLen: typeof said === 'string' ? DAY : said,
      turns,
      faults,
    };
  }
}

/** Minutes of the cycle, or of the day of the cycle that stands beside it; a sentence where they don't fit together. */
function startOf(text: string, cycleText: string): number | string {
  const cycle = cycleText === '' ? null : wholeIn(cycleText, 1, 2);
  if (typeof cycle === 'string') return `the cycle ${cycle}`;
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    if (Number(hours) > 23 || Number(minutes) > 59)
      return `'${shown(text)}' isn't a time of the day, such as 05:30.`;
    return ((cycle ?? 1) - 1) * DAY + Number(hours) * 60 + Number(minutes);
  }
  const start = wholeIn(text, 0, 2 * DAY - 1);
  if (typeof start === 'string') return start;
  const day = Math.floor(start / DAY) + 1;
  return cycle === null || cycle === day
    ? start
    : `minute ${start} lies on day ${day} of the cycle, not on day ${cycle}. Correct one of them.`;
}

function wholeIn(text: string, least: number, most: number): number | string {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  return number >= least && number <= most
    ? number
    : `'${shown(text)}' isn't a whole number from ${least} to ${wholeText(most)}.`;
}
