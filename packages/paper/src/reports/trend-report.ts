import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { historyType, historyTypes } from '@headrace/contract/rules/health-figures';
import type { TrendWeek, WeekCount } from '@headrace/contract/rules/health-trend';
import { countText } from '@headrace/contract/rules/number-text';
import { roundUp } from '../charts/column-chart.ts';
import { trendChart } from '../charts/trend-chart.ts';
import { dayText, type Made, paperOf, type Report } from '../made.ts';
import { numberText } from '../numbers.ts';
import type { Cell, Fact, Part } from '../paper.ts';

const TITLE = 'History trend';

/** As columns of a table, where there is no room for names. */
const shortNames = ['OUT', 'OCC', 'SCHED', 'BATT', 'CLOCK', 'INHIB', 'SPARES', 'SWAPS', 'REG'] as const;

/** How many sprinklers were of each kind, by week. `weeks`: the oldest first. */
export function trendReport(weeks: readonly TrendWeek[], made: Made): Report {
  const [start = '', stop = ''] = [weeks[0]?.start, weeks.at(-1)?.stop];
  const isKnown = weeks.some(({ known }) => known > 0);
  const nothing = `No day of this farm was counted from ${dayText(start)} to ${dayText(stop)}: how its sprinklers were is not known.`;
  const parts: Part[] = [
    { kind: 'facts', facts: factsOf(weeks) },
    ...(isKnown ? [...charts(weeks), ...tableOf(weeks)] : [{ kind: 'text', text: nothing } as const]),
  ];
  const period = `${dayText(start)} – ${dayText(stop)}`;
  return { paper: paperOf(made, { title: TITLE, period, parts }), csv: csvOf(weeks) };
}

function factsOf(weeks: readonly TrendWeek[]): Fact[] {
  const days = weeks.reduce((sum, { known }) => sum + known, 0);
  const known = weeks.filter((week) => week.known > 0);
  const changed = weeks.filter(({ isChanged }) => isChanged);
  return [
    ['Days', `${numberText(days)} of ${numberText(weeks.length * 7)} counted, each at its end`],
    ['Weeks', `${numberText(known.length)} of ${numberText(weeks.length)} with a day that is known`],
    ['In service', inServiceText(known)],
    [
      'Number changed',
      changed.length === 0
        ? 'Never by more than a tenth within a week'
        : `By more than a tenth in the week of ${changed.map((week) => dayText(week.start)).join(', ')}`,
    ],
  ];
}

function inServiceText(known: readonly TrendWeek[]): string {
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return 'Not known';
  const of = ({ inService }: TrendWeek) => numberText(Math.round(inService ?? 0));
  return `${of(first)} in the week of ${dayText(first.start)}, ${of(last)} in the week of ${dayText(last.start)}`;
}

/** All but those in regular contact share a scale: these are most of the farm, and errors beside them would be flat lines. */
function charts(weeks: readonly TrendWeek[]): Part[] {
  const most = (type: number) =>
    weeks.reduce((top, { counts }) => Math.max(top, counts[type]?.most ?? 0, counts[type]?.value ?? 0), 0);
  const types = historyTypes.map((name, type) => ({ name, type }));
  const shared = roundUp(
    Math.max(4, ...types.filter(({ type }) => type !== historyType.regular).map(({ type }) => most(type))),
  );
  const own = roundUp(Math.max(4, most(historyType.regular)));
  const marked = weeks.flatMap(({ isChanged }, nth) => (isChanged ? [nth] : []));
  return [
    { kind: 'heading', text: 'Sprinklers by week' },
    {
      kind: 'text',
      text: 'The line is the mean of the days of a week, the band what they lay between; swaps are those of the week. A gap: no day of the week was counted, or nobody was in contact. A dashed line: the farm’s number of sprinklers changed by more than a tenth. Regular contact has a scale of its own.',
    },
    {
      kind: 'figures',
      figures: types.map(({ name, type }) => ({
        words: alternateText(name, type, weeks),
        drawing: trendChart({
          title: name,
          points: weeks.map(({ counts }) => bandOf(counts[type] ?? null, type)),
          top: type === historyType.regular ? own : shared,
          marked,
          labels: monthsOf(weeks),
        }),
      })),
    },
  ];
}

/** A sum of a week lies between nothing. */
const bandOf = (count: WeekCount | null, type: number): WeekCount | null =>
  count && type === historyType.swaps ? { ...count, least: count.value, most: count.value } : count;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Every third month, at the first week that begins in it. */
function monthsOf(weeks: readonly TrendWeek[]) {
  const firsts = weeks.flatMap(({ start }, nth) =>
    nth > 0 && start.slice(0, 7) !== weeks[nth - 1]?.start.slice(0, 7)
      ? [{ nth, month: start.slice(0, 7) }]
      : [],
  );
  return firsts
    .filter((_first, nth) => nth % 3 === 1)
    .map(({ nth, month }) => ({ nth, text: months[Number(month.slice(5)) - 1] ?? '' }));
}

/** "Low battery: 9 in the week to 21/11/2026, 2 in the week to 29/11/2025; at most 12. Known of 50 of 52 weeks." */
function alternateText(name: string, type: number, weeks: readonly TrendWeek[]): string {
  const known = weeks.flatMap(({ stop, counts }) => {
    const count = counts[type];
    return count ? [{ stop, ...count }] : [];
  });
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last) return `${name}: not known in these 12 months.`;
  const text = (value: number) => numberText(value, Number.isInteger(value) ? 0 : 1);
  const most = Math.max(...known.map((week) => (type === historyType.swaps ? week.value : week.most)));
  const begun =
    first === last
      ? ''
      : `, ${text(first.value)} in the week to ${dayText(first.stop)}; at most ${text(most)}`;
  return `${name}: ${text(last.value)} in the week to ${dayText(last.stop)}${begun}. Known of ${countText(known.length, 'week')} of ${numberText(weeks.length)}.`;
}

function tableOf(weeks: readonly TrendWeek[]): Part[] {
  const number = (title: string) => ({ title, isNumber: true });
  const inService = figures(weeks.map((week) => week.inService));
  const ofTypes = historyTypes.map((_name, type) =>
    figures(weeks.map(({ counts }) => counts[type]?.value ?? null)),
  );
  return [
    { kind: 'heading', text: 'By week' },
    {
      kind: 'text',
      text: 'Means of the days that are known. Out: out of contact for more than 30 days, or never heard. Occ: heard within 30 days, not within 7. Sched: schedule issues. Batt: low battery. Inhib: inhibited. Swaps: all of the week. Reg: in regular contact. All: in service.',
    },
    {
      kind: 'table',
      summary: 'Sprinklers of each kind by week, the newest week first',
      columns: [
        { title: 'WEEK OF', isRowHead: true },
        number('DAYS'),
        number('ALL'),
        ...shortNames.map((title) => number(title)),
      ],
      rows: weeks
        .map(({ start, known }, nth): Cell[] => [
          dayText(start),
          numberText(known),
          inService[nth] ?? '',
          ...ofTypes.map((column) => column[nth] ?? ''),
        ])
        .toReversed(),
    },
  ];
}

/** A column, each with a tenth where one has: whole numbers between tenths don't stand below each other. */
function figures(values: readonly (number | null)[]): string[] {
  const digits = values.every((value) => value === null || Number.isInteger(value)) ? 0 : 1;
  return values.map((value) => numberText(value, digits));
}
const rounded = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Math.round(value * 100) / 100;

const csvOf = (weeks: readonly TrendWeek[]): string =>
  writeCsv([
    [
      'week_start',
      'week_stop',
      'days_known',
      'in_service',
      'number_changed',
      ...historyTypes.flatMap((name) => {
        const word = name.toLowerCase().replaceAll(' ', '_');
        return [word, `${word}_least`, `${word}_most`];
      }),
    ],
    ...weeks.map(({ start, stop, known, inService, isChanged, counts }) => [
      start,
      stop,
      known,
      rounded(inService),
      isChanged ? 'yes' : 'no',
      ...counts.flatMap((count) => [rounded(count?.value), rounded(count?.least), rounded(count?.most)]),
    ]),
  ]);
