import type { OperatedUnit, OperatingTimes } from '@headrace/contract/reports';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { countText } from '@headrace/contract/rules/number-text';
import { columnChart } from '../charts/column-chart.ts';
import { DASH, dayText, type Made, paperOf, type Report, stamp } from '../made.ts';
import { numberText, percentText } from '../numbers.ts';
import type { Cell, Fact, Mark, Part } from '../paper.ts';

const TITLE = 'Operating time';

/** How long the sprinklers of a schedule set were to water by it, and did. */
export function operatingTimeReport(times: OperatingTimes, made: Made): Report {
  const period = `${dayText(times.start)} – ${dayText(times.stop)}`;
  const parts: Part[] = [{ kind: 'facts', facts: factsOf(times) }, ...bodyOf(times, made)];
  return { paper: paperOf(made, { title: TITLE, period, parts }), csv: csvOf(times.units) };
}

/** What all of them come to; minutes of which nothing is known stand apart. */
export function operatingTotals(units: readonly OperatedUnit[]) {
  const sum = (of: (unit: OperatedUnit) => number) => units.reduce((total, unit) => total + of(unit), 0);
  const planned = sum((unit) => unit.planned);
  const unknown = sum((unit) => unit.unknown);
  const actual = sum((unit) => unit.actual ?? 0);
  return {
    planned,
    unknown,
    actual: planned > 0 && planned === unknown ? null : actual,
    share: planned > unknown ? (actual / (planned - unknown)) * 100 : null,
    kept: sum((unit) => unit.kept),
    waterings: sum(({ waterings }) => waterings.planned),
    missed: sum(({ waterings }) => waterings.missed),
    startNotHeard: sum(({ waterings }) => waterings.startNotHeard),
    endNotHeard: sum(({ waterings }) => waterings.endNotHeard),
    running: units.filter(({ isRunning }) => isRunning).length,
  };
}

/** What stands in the place of a table where there is nothing to tell; null: there is. */
export function nothingText({ units, name, isDeleted, start, stop, gone }: OperatingTimes): string | null {
  const span = `from ${dayText(start)} to ${dayText(stop)}`;
  if (units.length === 0 && gone === 0 && isDeleted)
    return `${name} was deleted, and which sprinklers it had is not kept any more.`;
  if (units.length === 0) return `No sprinkler of ${name} was on the farm ${span}.`;
  if (units.some(({ planned, kept, other }) => planned + kept > 0 || other !== 0)) return null;
  return `There are no runs ${span}: no sprinkler was to water by ${name}, and none was heard to water.`;
}

/** Of a farm that was not heard: what was planned is known, and nothing else. */
const unheardText = ({ units, start, stop }: OperatingTimes): string | null => {
  const due = units.filter(({ planned }) => planned > 0);
  const isUnheard = due.length > 0 && due.every(({ planned, unknown }) => planned === unknown);
  return isUnheard
    ? `Of none of these waterings anything was heard from ${dayText(start)} to ${dayText(stop)}: how long they were is not known.`
    : null;
};

function factsOf({ name, isDeleted, units, gone, start, stop }: OperatingTimes): Fact[] {
  const { planned, unknown, actual, share, kept, ...counts } = operatingTotals(units);
  const left = gone > 0 ? `, and ${numberText(gone)} that had left the farm` : '';
  const known = `of ${minutes(planned - unknown)} known`;
  return [
    ['Schedule', isDeleted ? `${name} (deleted)` : name],
    ['Days', `${dayText(start)} to ${dayText(stop)}`],
    ['Sprinklers', `${numberText(units.length)}${left}`],
    ['Planned', `${minutes(planned)} in ${countText(counts.waterings, 'watering')}`],
    ['Watered', actual === null ? 'Not known' : `${minutes(actual)} ${known}`],
    ['Share', share === null ? DASH : `${percentText(tenth(share))} of what is known`],
    ['Not known', unknown > 0 ? minutes(unknown) : 'None'],
    ['Kept from it', kept > 0 ? `${minutes(kept)}: inhibited, held or out of service` : 'None'],
    ['Missed', countText(counts.missed, 'watering')],
    [
      'Start not heard',
      counts.startNotHeard > 0
        ? `${countText(counts.startNotHeard, 'watering')}, counted from when ${counts.startNotHeard === 1 ? 'it was' : 'they were'} to begin`
        : 'None',
    ],
    [
      'End not heard',
      counts.endNotHeard > 0
        ? `${countText(counts.endNotHeard, 'watering')}, counted until ${counts.endNotHeard === 1 ? 'it was' : 'they were'} to end`
        : 'None',
    ],
    ...(counts.running > 0
      ? [['Running', `${countText(counts.running, 'sprinkler')}, counted until now`] as const]
      : []),
  ];
}

const tenth = (value: number) => Math.round(value * 10) / 10;
const minutesText = (value: number | null) => numberText(value, value !== null && value % 1 !== 0 ? 1 : 0);
const minutes = (value: number) => `${minutesText(tenth(value))} min`;

function bodyOf(times: OperatingTimes, made: Made): Part[] {
  const nothing = nothingText(times);
  if (nothing !== null) return [{ kind: 'text', text: nothing }];
  const unheard = unheardText(times);
  return [
    ...(unheard === null ? chartOf(times.units) : [{ kind: 'text', text: unheard } as const]),
    { kind: 'heading', text: 'By sprinkler' },
    {
      kind: 'text',
      text: 'Planned is what it was to water while it held this schedule. The share is of the planned minutes of which something is known. Unknown are minutes planned of which nothing is known. Other is by other schedules, by hand or unplanned; ?: how long is not known. Last is when it was last open, as far as is believed.',
    },
    ...leftOut(times.units),
    tableOf(onPaper(times.units), made),
  ];
}

/** More sprinklers are in the CSV alone. */
export const UNITS_ON_PAPER = 2000;

/** Of more than have room those that watered the smallest share, then those of which nothing is known; in the order that they had. */
function onPaper(units: readonly OperatedUnit[]): readonly OperatedUnit[] {
  if (units.length <= UNITS_ON_PAPER) return units;
  const placeOf = ({ share, planned }: OperatedUnit) => share ?? (planned > 0 ? 1e6 : 1e7);
  const worst = units.toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, UNITS_ON_PAPER);
  const shown = new Set(worst);
  return units.filter((unit) => shown.has(unit));
}

const leftOut = (units: readonly OperatedUnit[]): Part[] =>
  units.length <= UNITS_ON_PAPER
    ? []
    : [
        {
          kind: 'text',
          text: `Of ${numberText(units.length)} sprinklers the ${numberText(UNITS_ON_PAPER)} that watered the smallest share are here: the CSV has all of them.`,
        },
      ];

const bands = [
  { label: 'under 50 %', has: (share: number) => share < 50 },
  { label: '50 to 89 %', has: (share: number) => share >= 50 && share < 90 },
  { label: '90 to 110 %', has: (share: number) => share >= 90 && share <= 110 },
  { label: 'over 110 %', has: (share: number) => share > 110 },
] as const;

/** How many sprinklers came how near to what was planned. */
function chartOf(units: readonly OperatedUnit[]): Part[] {
  const shares = units.flatMap(({ share }) => share ?? []);
  const unknown = units.filter(({ share, planned }) => share === null && planned > 0).length;
  const counts = [
    ...bands.map(({ label, has }) => [label, shares.filter(has).length] as const),
    ['not known', unknown] as const,
  ];
  if (shares.length + unknown === 0) return [];
  const said = counts
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${numberText(count)} ${label}`);
  return [
    { kind: 'heading', text: 'Sprinklers by share of their planned minutes' },
    {
      kind: 'figure',
      words: `Sprinklers by the share of their planned minutes that they watered: ${said.join(', ')}.`,
      drawing: columnChart({
        series: [{ name: 'Sprinklers', ink: 'deep' }],
        groups: counts.map(([label, count]) => ({ label, values: [count] })),
        unit: '',
        hasValues: true,
      }),
    },
  ];
}

const tableOf = (units: readonly OperatedUnit[], { zone }: Made): Part => ({
  kind: 'table',
  summary: 'Minutes that each sprinkler was to water by the schedule, and did',
  columns: [
    { title: 'SPRINKLER', isRowHead: true },
    { title: 'LINE' },
    { title: 'PLANNED', isNumber: true },
    { title: 'WATERED', isNumber: true },
    { title: 'SHARE', isNumber: true },
    { title: 'UNKNOWN', isNumber: true },
    { title: 'OTHER', isNumber: true },
    { title: 'LAST' },
    { title: 'NOTES', isLong: true },
  ],
  rows: units.map((unit): Cell[] => [
    unit.sprinkler,
    unit.scheduleGroup,
    minutesText(unit.planned),
    minutesText(unit.actual),
    percentText(unit.share),
    unit.unknown > 0 ? minutesText(unit.unknown) : '',
    unit.other === null ? '?' : unit.other > 0 ? minutesText(unit.other) : '',
    unit.lastWatered === null ? DASH : dayAndMinute(stamp(Date.parse(unit.lastWatered), zone)),
    { text: notesOf(unit), mark: markOf(unit) },
  ]),
});

/** Without the year: all are of the last days. */
const dayAndMinute = (text: string) => text.replace(/\/\d{4} /, ' ');

/** What is to be said of one beside its minutes. */
export function notesOf({ waterings, kept, planned, isRunning }: OperatedUnit): string {
  const notes = [
    isRunning && 'running',
    waterings.unknown > 0 && `nothing heard of ${numberText(waterings.unknown)}`,
    waterings.missed > 0 && `${numberText(waterings.missed)} missed`,
    waterings.startNotHeard > 0 && countText(waterings.startNotHeard, 'start not heard', 'starts not heard'),
    waterings.endNotHeard > 0 && countText(waterings.endNotHeard, 'end not heard', 'ends not heard'),
    waterings.kept > 0 && `kept from ${numberText(waterings.kept)}`,
    planned + kept === 0 && 'not planned by it',
  ].filter((note) => note !== false);
  return notes.join(', ') || 'as planned';
}

function markOf({ isRunning, share, waterings, planned }: OperatedUnit): Mark {
  if (isRunning) return 'watering';
  if (planned === 0) return 'spare';
  if (share === null) return 'inhibited';
  if (waterings.missed > 0) return 'issue';
  return share < 90 || share > 110 ? 'caution' : 'ok';
}

const csvOf = (units: readonly OperatedUnit[]): string =>
  writeCsv([
    [
      'sprinkler',
      'serial_number',
      'line',
      'planned_min',
      'watered_min',
      'share_percent',
      'not_known_min',
      'kept_min',
      'other_min',
      'waterings_planned',
      'waterings_not_known',
      'waterings_missed',
      'waterings_kept',
      'starts_not_heard',
      'ends_not_heard',
      'last_watered',
      'is_running',
    ],
    ...units.map(({ waterings, ...unit }) => [
      unit.sprinkler,
      unit.serialNumber,
      unit.scheduleGroup,
      unit.planned,
      unit.actual,
      unit.share,
      unit.unknown,
      unit.kept,
      unit.other,
      waterings.planned,
      waterings.unknown,
      waterings.missed,
      waterings.kept,
      waterings.startNotHeard,
      waterings.endNotHeard,
      unit.lastWatered,
      unit.isRunning ? 'yes' : 'no',
    ]),
  ]);
