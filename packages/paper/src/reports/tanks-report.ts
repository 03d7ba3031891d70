import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { type TankDay, type TankDays, type TankSum, tankSum } from '@headrace/contract/rules/tank-days';
import { countText } from '@headrace/contract/rules/number-text';
import { columnChart } from '../charts/column-chart.ts';
import { DASH, dayText, type Made, paperOf, type Report } from '../made.ts';
import { numberText } from '../numbers.ts';
import type { Cell, Fact, Part } from '../paper.ts';

export interface TanksData {
  /** YYYY-MM-DD, both included. */
  readonly start: string;
  readonly stop: string;
  /** By name. */
  readonly tanks: readonly TankDays[];
}

/** Rows of days and tanks on paper, and tanks with a chart of their own: more are read in the CSV. */
export const TANK_ROWS_ON_PAPER = 3000;
const CHARTS = 24;

/** Levels of a farm's tanks and what was used of them, by day. */
export function tanksReport(data: TanksData, made: Made): Report {
  const { start, stop, tanks } = data;
  const span = `from ${dayText(start)} to ${dayText(stop)}`;
  const sums = tanks.map((tank) => ({ tank, sum: tankSum(tank.days) }));
  const isHeard = sums.some(({ sum }) => sum.heard + sum.usedDays > 0);
  const nothing = tanks.length === 0 ? 'The farm has no tanks.' : `Nothing was heard of any tank ${span}.`;
  const parts: Part[] = [
    {
      kind: 'facts',
      facts: factsOf(
        data,
        sums.map(({ sum }) => sum),
      ),
    },
    ...(isHeard
      ? [...tableOfSums(sums, span), ...charts(sums), ...tableOfDays(tanks)]
      : [{ kind: 'text', text: nothing } as const]),
  ];
  const period = `${dayText(start)} – ${dayText(stop)}`;
  return { paper: paperOf(made, { title: 'Tanks and usage', period, parts }), csv: csvOf(tanks) };
}

interface Summed {
  readonly tank: TankDays;
  readonly sum: TankSum;
}

function factsOf({ start, stop, tanks }: TanksData, sums: readonly TankSum[]): Fact[] {
  const silent = sums.filter(({ heard }) => heard === 0).length;
  const days = tanks[0]?.days.length ?? 0;
  const known = sums.filter(({ used }) => used !== null);
  const used = known.reduce((sum, one) => sum + (one.used ?? 0), 0);
  return [
    ['Tanks', numberText(tanks.length)],
    ['Days', `${dayText(start)} to ${dayText(stop)}`],
    ['Not heard', silent === 0 ? 'None of them' : countText(silent, 'tank')],
    [
      'Used',
      known.length === 0
        ? 'Not known'
        : `${numberText(used)} L, known of ${numberText(known.reduce((sum, one) => sum + one.usedDays, 0))} of ${countText(days * tanks.length, 'day')} of tanks`,
    ],
  ];
}

const percent = (value: number | null) => (value === null ? DASH : `${numberText(value)} %`);

function tableOfSums(sums: readonly Summed[], span: string): Part[] {
  return [
    { kind: 'heading', text: 'By tank' },
    {
      kind: 'text',
      text: 'Lowest and highest are of what the sensor read, noise and all. Used is what left the tank beside the noise of its sensor, or what its meter counted; rises are not counted. The mean is of days of which all is known: not today, nor a day in which a tank fell silent. A dash: not known.',
    },
    {
      kind: 'table',
      summary: `Levels and usage of each tank ${span}`,
      columns: [
        { title: 'TANK', isRowHead: true },
        { title: 'DAYS HEARD', isNumber: true },
        { title: 'LOWEST', isNumber: true },
        { title: 'HIGHEST', isNumber: true },
        { title: 'USED L', isNumber: true },
        { title: 'OF DAYS', isNumber: true },
        { title: 'MEAN L A DAY', isNumber: true },
      ],
      rows: sums.map(({ tank, sum }): Cell[] => [
        tank.name,
        numberText(sum.heard),
        percent(sum.lowest),
        percent(sum.highest),
        numberText(sum.used),
        numberText(sum.usedDays),
        numberText(sum.mean),
      ]),
    },
  ];
}

function charts(sums: readonly Summed[]): Part[] {
  const known = sums.filter(({ sum }) => sum.used !== null);
  const drawn = known.slice(0, CHARTS);
  const left = known.length - drawn.length;
  const more: Part = {
    kind: 'text',
    text: `${countText(left, 'more tank')} ${left === 1 ? 'has' : 'have'} no chart here.`,
  };
  return [...drawn.flatMap(chartOf), ...(left > 0 ? [more] : [])];
}

function chartOf({ tank: { name, days }, sum }: Summed): Part[] {
  const most = days.reduce((best, day) => ((day.used ?? -1) > (best.used ?? -1) ? day : best));
  return [
    { kind: 'heading', text: `Used of ${name} by day, L` },
    {
      kind: 'figure',
      words: `${name}: ${numberText(sum.used)} L used, known of ${numberText(sum.usedDays)} of ${countText(days.length, 'day')}; the most ${numberText(most.used)} L on ${dayText(most.day)}.`,
      drawing: columnChart({
        series: [{ name: 'Used', ink: 'deep' }],
        groups: days.map(({ day, used }) => ({ label: dayText(day).slice(0, 5), values: [used] })),
        unit: 'L',
      }),
    },
  ];
}

function sourceText({ source, isShared, isWhole }: TankDay): string {
  if (source === null) return '';
  if (isShared) return `${source}, share of a longer time`;
  return isWhole ? source : `${source}, part of the day`;
}

function tableOfDays(tanks: readonly TankDays[]): Part[] {
  const all = tanks.flatMap(({ name, days }) => days.map((day) => ({ name, ...day })));
  const rows = all.slice(0, TANK_ROWS_ON_PAPER);
  const left = all.length - rows.length;
  const more: Part = {
    kind: 'text',
    text: `${countText(left, 'more row')} ${left === 1 ? 'is' : 'are'} left out here: the CSV has all of them.`,
  };
  return [
    { kind: 'heading', text: 'By tank and day' },
    {
      kind: 'table',
      summary: 'Level and usage of each tank by day',
      columns: [
        { title: 'TANK', isRowHead: true },
        { title: 'DAY' },
        { title: 'LOWEST', isNumber: true },
        { title: 'HIGHEST', isNumber: true },
        { title: 'USED L', isNumber: true },
        { title: 'BY', isLong: true },
      ],
      rows: rows.map((row): Cell[] => [
        row.name,
        dayText(row.day),
        percent(row.lowest),
        percent(row.highest),
        numberText(row.used),
        sourceText(row),
      ]),
    },
    ...(left > 0 ? [more] : []),
  ];
}

const csvOf = (tanks: readonly TankDays[]): string =>
  writeCsv([
    ['tank', 'day', 'lowest_percent', 'highest_percent', 'used_l', 'by', 'is_share', 'is_whole_day'],
    ...tanks.flatMap(({ name, days }) =>
      days.map(({ day, lowest, highest, used, source, isShared, isWhole }) => [
        name,
        day,
        lowest,
        highest,
        used,
        source,
        source === null ? null : yesNo(isShared),
        source === null ? null : yesNo(isWhole),
      ]),
    ),
  ]);

const yesNo = (is: boolean): string => (is ? 'yes' : 'no');
