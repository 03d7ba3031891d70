import type { DiaryDay, DiaryLog, DiarySums } from '@headrace/contract/irr-diary';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { countText } from '@headrace/contract/rules/number-text';
import { columnChart } from '../charts/column-chart.ts';
import { dayText, type Made, paperOf, type Report } from '../made.ts';
import { numberText } from '../numbers.ts';
import type { Fact, Part } from '../paper.ts';
import { figureColumns, figuresOf, troubleTable, waterText } from './diary-tables.ts';

export interface DiaryData {
  /** YYYY-MM-DD, both included. */
  readonly start: string;
  readonly stop: string;
  /** All days of that time, the oldest first. */
  readonly days: readonly string[];
  /** Those on which something was watered or was to be, the oldest first. */
  readonly sums: readonly DiaryDay[];
  /** What went otherwise than planned and was no one's wish, the newest day first. */
  readonly troubles: readonly DiaryLog[];
  /** How many there were: of many, `troubles` has the first. */
  readonly troubleCount: number;
}

/** More of what went wrong than that is in the CSV of all waterings alone. */
export const TROUBLES_ON_PAPER = 2000;

/** Rows of days and groups on paper: a season of many groups is read in the CSV. */
export const GROUP_ROWS_ON_PAPER = 3000;

/** A day of a group; `group` '': of the whole farm. */
interface DiaryRow {
  readonly day: string;
  readonly group: string;
  readonly sums: DiarySums;
}

/** Each day, and below it each of its groups. */
const diaryRows = (sums: readonly DiaryDay[]): DiaryRow[] =>
  sums.flatMap((day) => [
    { day: day.day, group: '', sums: day },
    ...day.groups.map((group) => ({ day: day.day, group: group.name || 'No group', sums: group })),
  ]);

/** The irrigation diary of some days: by day, by group, and what went wrong with why. */
export function diaryReport(data: DiaryData, made: Made): Report {
  const rows = diaryRows(data.sums);
  const parts: Part[] = [{ kind: 'facts', facts: factsOf(data) }];
  if (rows.length === 0) parts.push({ kind: 'text', text: `There are no runs ${spanText(data)}.` });
  else parts.push(...chartOf(data), ...tables(rows), ...troublesOf(data, made));
  const period = `${dayText(data.start)} – ${dayText(data.stop)}`;
  return { paper: paperOf(made, { title: 'Irrigation diary', period, parts }), csv: diaryCsv(rows) };
}

const spanText = ({ start, stop }: DiaryData) => `from ${dayText(start)} to ${dayText(stop)}`;
function factsOf({ days, sums }: DiaryData): Fact[] {
  const sum = (of: (day: DiaryDay) => number) => sums.reduce((total, day) => total + of(day), 0);
  const planned = sum((day) => day.planned);
  const kept = sum((day) => day.kept);
  return [
    ['Days', `${numberText(sums.length)} of ${numberText(days.length)} with runs, planned or heard`],
    ['Watered', `${numberText(sum(({ watered }) => watered))} of ${numberText(planned)} planned`],
    [
      'Missed, short',
      `${numberText(sum(({ counts }) => counts.missed))}, ${numberText(sum(({ counts }) => counts.short))}`,
    ],
    [
      'Not known',
      unknownText(
        sum(({ counts }) => counts['not known']),
        planned,
        kept,
      ),
    ],
    ['Kept from it', `${numberText(kept)} inhibited, held or out of service`],
    ['Water', waterText(sums.map(({ litres }) => litres))],
  ];
}

function unknownText(unknown: number, planned: number, kept: number): string {
  if (unknown > 0) return `${numberText(unknown)}, which were not heard of`;
  if (planned > 0) return 'None: all planned waterings were heard of';
  return kept > 0 ? 'None: all that was planned was kept from it' : 'Nothing was planned';
}

function chartOf({ days, sums }: DiaryData): Part[] {
  const meanOf = new Map(sums.map(({ day, meanMm }) => [day, meanMm]));
  const known = sums.flatMap(({ day, meanMm }) => (meanMm === null ? [] : [{ day, meanMm }]));
  const most = known.reduce(
    (best, one) => (one.meanMm > best.meanMm ? one : best),
    known[0] ?? { day: '', meanMm: 0 },
  );
  const heading: Part = { kind: 'heading', text: 'Mean depth by day, mm' };
  // An axis without a column reads as if nothing was given.
  if (known.length === 0) return [heading, { kind: 'text', text: 'Of none of these days it is known.' }];
  return [
    heading,
    {
      kind: 'figure',
      words: `Mean depth by day, mm, known of ${countText(known.length, 'day')} of ${numberText(days.length)}; the most ${numberText(most.meanMm, 1)} mm on ${dayText(most.day)}.`,
      drawing: columnChart({
        series: [{ name: 'Mean', ink: 'deep' }],
        groups: days.map((day) => ({ label: dayText(day).slice(0, 5), values: [meanOf.get(day) ?? null] })),
        unit: 'mm',
      }),
    },
  ];
}

function tables(rows: readonly DiaryRow[]): Part[] {
  const days = rows.filter(({ group }) => group === '');
  const all = rows.filter(({ group }) => group !== '');
  const groups = all.slice(-GROUP_ROWS_ON_PAPER);
  const left = all.length - groups.length;
  const byDay: Part = {
    kind: 'table',
    summary: 'Waterings of each day',
    columns: [{ title: 'DAY', isRowHead: true }, ...figureColumns],
    rows: days.map(({ day, sums }) => [dayText(day), ...figuresOf(sums)]),
  };
  const byGroup: Part = {
    kind: 'table',
    summary: 'Waterings of each day and group',
    columns: [{ title: 'DAY' }, { title: 'GROUP', isRowHead: true }, ...figureColumns],
    rows: groups.map(({ day, group, sums }) => [dayText(day), group, ...figuresOf(sums)]),
  };
  const note =
    'A sprinkler of several groups counts in each. Means are of sprinklers of a full circle of which all is known.';
  return [
    { kind: 'heading', text: 'By day' },
    { kind: 'text', text: 'm³ are of the waterings that are known; a dash where none is.' },
    byDay,
    { kind: 'heading', text: 'By day and group' },
    { kind: 'text', text: left > 0 ? `${note} ${leftText(left)}` : note },
    byGroup,
  ];
}

const leftText = (left: number) =>
  `${countText(left, 'row')} of the first days ${left === 1 ? 'is' : 'are'} left out here: the CSV has all of them.`;

function troublesOf({ sums, troubles, troubleCount }: DiaryData, { zone }: Made): Part[] {
  const heading: Part = { kind: 'heading', text: 'Not as planned' };
  if (troubles.length === 0) {
    const wasPlanned = sums.some(({ planned, kept }) => planned + kept > 0);
    const text = wasPlanned
      ? 'Nothing: all was watered as planned, or kept from it.'
      : 'Nothing was planned.';
    return [heading, { kind: 'text', text }];
  }
  const rest = troubleCount - troubles.length;
  const more: Part = {
    kind: 'text',
    text: `${countText(rest, 'more watering')} went otherwise than planned: the CSV of the diary has all of them.`,
  };
  return [heading, troubleTable(troubles, zone), ...(rest > 0 ? [more] : [])];
}

/** The sums of days, the oldest first, as a file. */
export const diaryTable = (sums: readonly DiaryDay[]): string => diaryCsv(diaryRows(sums));

const diaryCsv = (rows: readonly DiaryRow[]): string =>
  writeCsv([
    [
      'day',
      'group',
      'planned',
      'watered',
      'missed',
      'short',
      'not_known',
      'kept',
      'mean_mm',
      'litres',
      'litres_least',
      'litres_most',
    ],
    ...rows.map(({ day, group, sums: { planned, watered, counts, kept, meanMm, litres } }) => [
      day,
      group,
      planned,
      watered,
      counts.missed,
      counts.short,
      counts['not known'],
      kept,
      meanMm,
      litres.believed,
      litres.least,
      litres.most,
    ]),
  ]);
