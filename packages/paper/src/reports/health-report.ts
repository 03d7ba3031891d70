import type { HealthHistory, SprinklerHealth } from '@headrace/contract/health';
import { HEALTH_DAYS } from '@headrace/contract/health';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { countText } from '@headrace/contract/rules/number-text';
import { columnChart } from '../charts/column-chart.ts';
import { DASH, dayText, type Made, paperOf, type Report, stampInZone } from '../made.ts';
import { numberText, percentText } from '../numbers.ts';
import type { Fact, Part } from '../paper.ts';

export interface HealthData {
  readonly health: SprinklerHealth;
  /** Which sprinklers had each error at the end of the last days. */
  readonly histories: Readonly<Record<Category, HealthHistory>>;
  /** When the server told it, epoch ms. */
  readonly knownAt: number;
}
export type Category = 'clock' | 'battery' | 'schedule';
const categories = [
  { id: 'clock', label: 'Clock', error: 'clock error' },
  { id: 'battery', label: 'Battery', error: 'low battery' },
  { id: 'schedule', label: 'Schedule', error: 'schedule issue' },
] as const;

interface Figures {
  readonly label: string;
  readonly min: number | null;
  readonly now: number | null;
  readonly max: number | null;
}

/** A sprinkler with an error at the end of the last day that is known, and since which day's end. */
interface ErrorRow {
  readonly name: string;
  readonly serialNumber: string;
  readonly since: string;
}

const TITLE = 'Sprinkler Health';

/** The share of sprinklers free of each error, and which are not. */
export function healthReport(data: HealthData, made: Made): Report {
  const figures = figuresOf(data.health);
  const errors = categories.map((category) => ({
    ...category,
    rows: errorRows(data.histories[category.id]),
  }));
  const parts: Part[] = [
    { kind: 'facts', facts: factsOf(data, made) },
    ...figureParts(data.health, figures),
    ...errors.flatMap(({ error, id, rows }) => errorParts(error, data.histories[id], rows)),
  ];
  const csv = writeCsv([
    ['category', 'minimum', 'current', 'maximum', 'name', 'serialNumber', 'since'],
    ...figures.map(({ label, min, now, max }) => [label, min, now, max, null, null, null]),
    ...errors.flatMap(({ label, rows }) =>
      rows.map(({ name, serialNumber, since }) => [label, null, null, null, name, serialNumber, since]),
    ),
  ]);
  return { paper: paperOf(made, { title: TITLE, parts }), csv };
}

const figuresOf = (health: SprinklerHealth): Figures[] => [
  { label: 'Clock', min: health.minClock, now: health.curClock, max: health.maxClock },
  { label: 'Battery', min: health.minBattery, now: health.curBattery, max: health.maxBattery },
  { label: 'Schedule', min: health.minSchedule, now: health.curSchedule, max: health.maxSchedule },
];

function factsOf({ health, knownAt }: HealthData, { zone }: Made): Fact[] {
  const { total, inContact, days, since } = health;
  return [
    ['In service', countText(total, 'sprinkler')],
    ['Known as of', stampInZone(knownAt, zone)],
    ['In contact', `${numberText(inContact)}, and these are judged`],
    ['Out of contact', `${numberText(total - inContact)}, of which nothing is known`],
    [
      'Minimum, maximum',
      since === null
        ? 'Not known yet: no day has ended'
        : `since ${dayText(since)} (${countText(days, 'day')} of ${HEALTH_DAYS})`,
    ],
  ];
}

function figureParts({ inContact, total }: SprinklerHealth, figures: readonly Figures[]): Part[] {
  if (total === 0) return [{ kind: 'text', text: 'The farm has no sprinklers in service.' }];
  if (inContact === 0)
    return [{ kind: 'text', text: 'No sprinkler is in contact: how they are is not known.' }];
  const said = figures.map(({ label, min, now, max }) => {
    const past =
      min === null ? 'minimum and maximum not known' : `${percentText(min)} to ${percentText(max)}`;
    return `${label} ${percentText(now)} now, ${past}`;
  });
  return [
    { kind: 'heading', text: 'Free of each error, in % of those in contact' },
    {
      kind: 'figure',
      words: `Sprinklers free of errors. ${said.join('. ')}.`,
      drawing: columnChart({
        series: [
          { name: 'Minimum', ink: 'pale' },
          { name: 'Current', ink: 'deep' },
          { name: 'Maximum', ink: 'middle' },
        ],
        groups: figures.map(({ label, min, now, max }) => ({ label, values: [min, now, max] })),
        top: 100,
        unit: '%',
        hasValues: true,
      }),
    },
    {
      kind: 'table',
      summary: 'Lowest, present and highest share of sprinklers free of each error',
      columns: [
        { title: 'CATEGORY', isRowHead: true },
        { title: 'MINIMUM', isNumber: true },
        { title: 'CURRENT', isNumber: true },
        { title: 'MAXIMUM', isNumber: true },
      ],
      rows: figures.map(({ label, min, now, max }) => [label, ...[min, now, max].map(percentText)]),
    },
  ];
}

/** Of the newest day that is known; a sprinkler that had it on the first day as well has had it for longer than is known. */
export function errorRows({ data }: Pick<HealthHistory, 'data'>): ErrorRow[] {
  const last = data.at(-1);
  if (!last) return [];
  const days = data.map(({ date, units }) => ({ date, ids: new Set(units.map(keyOf)) }));
  return last.units.map((unit) => {
    const free = days.findLastIndex(({ ids }) => !ids.has(keyOf(unit)));
    const since = days[free + 1]?.date;
    const text = since === undefined ? DASH : free === -1 ? `${dayText(since)} or before` : dayText(since);
    return { name: unit.name, serialNumber: unit.serialNumber, since: text };
  });
}
const keyOf = ({ id, serialNumber }: { id: string | null; serialNumber: string }) =>
  id ?? `deleted ${serialNumber}`;

/** Who isn't heard says no errors: nothing is known of those. */
const noneText = (error: string, when: string, inContact: number): string =>
  inContact === 0
    ? `Nobody was in contact ${when}: who had a ${error} is not known.`
    : `None of the ${numberText(inContact)} in contact had a ${error} ${when}.`;

function errorParts(error: string, { data }: HealthHistory, rows: readonly ErrorRow[]): Part[] {
  const last = data.at(-1);
  const heading: Part = { kind: 'heading', text: `Sprinklers with a ${error}` };
  if (!last) return [heading, { kind: 'text', text: 'No day has ended since this is counted.' }];
  const when = `at the end of ${dayText(last.date)}`;
  if (rows.length === 0) return [heading, { kind: 'text', text: noneText(error, when, last.inContact) }];
  return [
    heading,
    { kind: 'text', text: `${countText(rows.length, 'sprinkler')} had a ${error} ${when}.` },
    {
      kind: 'table',
      summary: `Sprinklers with a ${error} ${when}`,
      columns: [
        { title: 'NAME', isRowHead: true },
        { title: 'SERIAL NUMBER' },
        { title: 'SINCE THE END OF', isLong: true },
      ],
      rows: rows.map(({ name, serialNumber, since }) => [name, serialNumber, since]),
    },
  ];
}
