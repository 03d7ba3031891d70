import type { TakeExceedance, TakeMeter } from '@headrace/contract/water-takes';
import { APP_VERSION } from '@headrace/contract/limits';
import { countText } from '@headrace/contract/rules/number-text';
import { gapCauseText } from '@headrace/contract/rules/water-take/gap-cause-text';
import { DASH, dayText, type Made, paperOf } from '../made.ts';
import { enteredText, numberText, percentText } from '../numbers.ts';
import type { Fact, Paper, Part } from '../paper.ts';
import { dayCells } from './take-cells.ts';
import { type TakeStamps, takeStamps } from './take-stamps.ts';
import type { PackData } from './take-pack.ts';

/** More days, gaps or exceedances than these are in the CSVs alone. */
const DAYS_A_FIGURE = 14;
const ROWS_ON_PAPER = 300;

/** What the summary tells. */
export interface TakeSummary extends Pick<PackData, 'take' | 'days'> {
  /** The pack's other files: who has the paper can tell whether they are those that it tells of. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

/** As much as the paper has room for: a year may have thousands of quarters above a limit. */
export const takeSummary = (
  { take, days: { gaps, exceedances, ...days } }: Pick<PackData, 'take' | 'days'>,
  files: TakeSummary['files'],
): TakeSummary => ({
  take,
  days: {
    ...days,
    gaps: gaps.slice(0, ROWS_ON_PAPER),
    exceedances: exceedances.slice(0, ROWS_ON_PAPER),
  },
  files: files.map(({ name, sha256 }) => ({ name, sha256 })),
});

/** What a council reads first: the take, its meters, how complete its figures are, what is left and what went wrong. */
export function takePaper(data: TakeSummary, made: Made): Paper {
  const { days } = data;
  const stamps = takeStamps(made.zone);
  const parts: Part[] = [
    {
      kind: 'text',
      text: 'What was taken in each quarter of an hour, by the meter’s own counter. It is a check and no transfer: where a council takes records from accredited providers alone, they send them.',
    },
    {
      kind: 'text',
      text: 'The regulations for measuring takes leave out a take that gives all its water back to where it came from (regulation 4(2)). A council could allow records by the week in place of these (regulation 9, in the text before 2020): whether it still may was not confirmed.',
    },
    {
      kind: 'text',
      text: `Its days and times are of standard time all year (${days.standardTime}).`,
    },
    { kind: 'facts', facts: takeFacts(data) },
    { kind: 'heading', text: 'Meters' },
    ...data.take.meters.map((meter): Part => ({ kind: 'facts', facts: meterFacts(meter, stamps) })),
    ...completeness(data),
    ...exceedances(data, stamps),
    ...gaps(data, stamps),
    ...checks(data, stamps),
    { kind: 'heading', text: 'Files' },
    {
      kind: 'table',
      summary: 'Files of this pack with their SHA-256',
      columns: [
        { title: 'FILE', isRowHead: true },
        { title: 'SHA-256', isLong: true },
      ],
      rows: data.files.map(({ name, sha256 }) => [name, sha256]),
    },
  ];
  const period = `${dayText(days.from)} – ${dayText(days.to)} (${days.standardTime})`;
  // Not when it was made: the same figures are the same bytes.
  const foot = `By ${made.by} · as of ${stamps.end(made.at)} ${days.standardTime} · Headrace ${APP_VERSION}`;
  return { ...paperOf(made, { title: `Water take ${data.take.consentNo}`, period, parts }), foot };
}

function takeFacts({ take, days }: TakeSummary): Fact[] {
  const { m3: sum, isWhole } = days.taken;
  const count = (of: 'measured' | 'shared' | 'estimated' | 'missing' | 'rows') =>
    days.days.reduce((total, day) => total + day[of], 0);
  const rows = count('rows');
  const highest = days.days.reduce<number | null>(
    (most, { highestLps }) => (highestLps === null ? most : Math.max(most ?? 0, highestLps)),
    null,
  );
  const limit = (most: number | null, unit: string) =>
    most === null ? 'none entered' : `${enteredText(most)} ${unit}`;
  const { today, year } = days.use;
  const left = (use: typeof year) => {
    if (!use.isWhole && use.used === 0) return `not known${gapText(use.cutM3)}`;
    const [least, most] = use.isWhole ? ['', ''] : ['at least ', 'at most '];
    const leftOf = (m3: number | null) => {
      if (m3 === null) return '';
      return m3 < 0
        ? `, ${least}${numberText(-m3, 1)} above its limit`
        : `, ${most}${numberText(m3, 1)} left`;
    };
    const used = `${least}${numberText(use.used, 1)} m³ used`;
    return `${used}${leftOf(use.left)}${gapText(use.cutM3)}`;
  };
  return [
    ['Consent', take.consentNo],
    ['Source', take.source || DASH],
    ['Holder', take.holder || DASH],
    ['Council', take.council || DASH],
    ['Valid', validText(take)],
    ['Highest rate', limit(take.maxLps, 'L/s')],
    ['A day', limit(take.maxM3Day, 'm³')],
    ['In 7 days', limit(take.maxM37Day, 'm³')],
    ['A water year', limit(take.maxM3Year, 'm³')],
    [
      'Taken',
      `${!isWhole && sum === 0 ? 'not known' : `${isWhole ? '' : 'at least '}${numberText(sum, 3)} m³`}${gapText(days.taken.cutM3)}`,
    ],
    ['Highest quarter', highest === null ? DASH : `${numberText(highest, 2)} L/s`],
    [
      'Measured',
      `${numberText(count('measured'))} of ${numberText(rows)} quarters (${percentText(rows === 0 ? null : Math.floor((1000 * count('measured')) / rows) / 10)})`,
    ],
    ['Shared out, estimated', `${numberText(count('shared'))}, ${numberText(count('estimated'))}`],
    ['Missing', countText(count('missing'), 'quarter')],
    ['Last day', left(today)],
    ['Water year so far', left(year)],
  ];
}

function validText({ validFrom, validTo }: TakeSummary['take']): string {
  if (validFrom === null && validTo === null) return 'not entered';
  return `${validFrom ? dayText(validFrom) : '…'} – ${validTo ? dayText(validTo) : '…'}`;
}

/** Nobody knows how much of a gap's total was before its midnight and how much after. */
const gapText = (cutM3: number) =>
  cutM3 === 0 ? '' : ` (gaps of ${numberText(cutM3, 3)} m³ over its start or end aren’t shared out)`;

const meterFacts = (meter: TakeMeter, { start, end }: TakeStamps): Fact[] => [
  ['Place', `${meter.site}, ${meter.measure}`],
  ['Sensor', meter.device],
  [
    'Counts by',
    `${meter.metric}, ${meter.m3PerUnit} m³ a count${meter.isByVolume ? ', logs by volume' : ''}`,
  ],
  [
    'In place',
    `${start(Date.parse(meter.startsAt))} – ${meter.endsAt ? end(Date.parse(meter.endsAt)) : 'now'}`,
  ],
  ['Verified', meter.verifiedOn ? dayText(meter.verifiedOn) : 'not entered'],
  ['Valid to', meter.nextVerification ? dayText(meter.nextVerification) : 'not entered'],
  ['Pipe', meter.pipe === 'full' ? 'full, within ±5 %' : 'open or partly full, within ±10 %'],
];

function completeness({ days }: TakeSummary): Part[] {
  const heading: Part = { kind: 'heading', text: 'How complete the days are' };
  if (days.days.length === 0) return [heading, { kind: 'text', text: 'No meter was in place in this time.' }];
  const missing = days.days.filter((day) => day.missing > 0).length;
  const figures: Part[] = [];
  for (let at = 0; at < days.days.length; at += DAYS_A_FIGURE) {
    const some = days.days.slice(at, at + DAYS_A_FIGURE);
    const [first, last] = [some[0], some.at(-1)];
    const gone = some.reduce((sum, day) => sum + day.missing, 0);
    figures.push({
      kind: 'figure',
      words: `Quarters of the days from ${dayText(first?.day ?? '')} to ${dayText(last?.day ?? '')}: ${gone === 0 ? 'none is missing' : `${countText(gone, 'quarter')} missing`}.`,
      drawing: dayCells(some),
    });
  }
  return [
    heading,
    {
      kind: 'text',
      text: `A full bar is measured, a thin line at the foot a measured zero, a lower bar shared out or estimated, a thin line in the middle missing. ${missing === 0 ? 'No day misses a quarter.' : `${countText(missing, 'day')} of ${numberText(days.days.length)} ${missing === 1 ? 'misses' : 'miss'} some.`}`,
    },
    ...notInQuarters(days.days),
    ...oldSettings(days.days),
    ...figures,
  ];
}

/** Who adds up the files' quarters has to know why they come to less than what is told here. */
function notInQuarters(days: PackData['days']['days']): Part[] {
  const texts = [
    days.some((day) => day.missing > 0 && day.m3 > 0) &&
      'A day that misses quarters may be more than its others add up to: what the counter shows for a gap as a whole, and what is sure of a quarter that is known in part, count in the day and in none of its quarters.',
    days.some((day) => day.cutM3 > 0) &&
      'A gap over a midnight counts in neither of its days, and in what was taken in all where both are told of here.',
  ].filter((text) => text !== false);
  return texts.length === 0 ? [] : [{ kind: 'text', text: texts.join(' ') }];
}

/** Days that can't be reckoned anew, and wouldn't be the same. */
function oldSettings(days: PackData['days']['days']): Part[] {
  const old = days.filter((day) => day.hasOldSettings).map(({ day }) => dayText(day));
  if (old.length === 0) return [];
  const span = old.length === 1 ? old[0] : `${countText(old.length, 'day')} from ${old[0]} to ${old.at(-1)}`;
  return [
    {
      kind: 'text',
      text: `Reckoned with other settings of a meter than those of now, or by an older version: ${span}. Their readings are no longer kept, so they stay as they were reckoned then.`,
    },
  ];
}

const limitNames: Record<TakeExceedance['limit'], string> = {
  rate: 'rate, L/s',
  day: 'day, m³',
  sevenDays: '7 days, m³',
  year: 'water year, m³',
  ended: 'after the consent’s end, m³',
};

function exceedances({ days }: TakeSummary, { start, end }: TakeStamps): Part[] {
  const heading: Part = { kind: 'heading', text: 'Above a limit' };
  if (days.exceedanceCount === 0)
    return [heading, { kind: 'text', text: 'What is known was never above a limit.' }];
  const shown = days.exceedances.slice(0, ROWS_ON_PAPER);
  return [
    heading,
    {
      kind: 'table',
      summary: 'Quarters, days and weeks above a limit',
      columns: [
        { title: `FROM (${days.standardTime})`, isRowHead: true },
        { title: `TO (${days.standardTime})` },
        { title: 'LIMIT' },
        { title: 'VALUE', isNumber: true },
        { title: 'MOST', isNumber: true },
        { title: 'HOW', isLong: true },
      ],
      rows: shown.map(({ at, limit, value, most, isWithinAccuracy, isRestricted, isWhole }) => [
        start(Date.parse(at.from)),
        end(Date.parse(at.to)),
        limitNames[limit],
        numberText(value, 2),
        enteredText(most, 2),
        `${isWithinAccuracy ? 'within the meter’s accuracy' : 'above'}${isRestricted ? ', by a restriction' : ''}${isWhole ? '' : '; at least that much, more may have been taken'}`,
      ]),
    },
    ...more(days.exceedanceCount - shown.length, 'exceedances.csv'),
  ];
}

function gaps({ take, days }: TakeSummary, { start, end }: TakeStamps): Part[] {
  const heading: Part = { kind: 'heading', text: 'What is missing' };
  if (days.gapCount === 0) return [heading, { kind: 'text', text: 'Nothing is missing.' }];
  const shown = days.gaps.slice(0, ROWS_ON_PAPER);
  return [
    heading,
    {
      kind: 'table',
      summary: 'Times of which no quarter is known',
      columns: [
        { title: `FROM (${days.standardTime})`, isRowHead: true },
        { title: `TO (${days.standardTime})` },
        { title: 'ROWS', isNumber: true },
        { title: 'M³ IN ALL', isNumber: true },
        { title: 'CAUSE', isLong: true },
      ],
      rows: shown.map(({ from, to, rows, m3, isCut, cause, note }) => [
        start(Date.parse(from)),
        end(Date.parse(to)),
        numberText(rows),
        numberText(m3, 3),
        `${gapCauseText(cause, take.meters)}${isCut ? '; it goes on outside these days, so what went through in them is not known' : ''}${note === '' ? '' : `. ${note}`}`,
      ]),
    },
    ...more(days.gapCount - shown.length, 'gaps.csv'),
  ];
}

const more = (count: number, file: string): Part[] =>
  count > 0
    ? [{ kind: 'text', text: `${countText(count, 'older one')} in ${file}, as far as it lists them.` }]
    : [];

function checks({ days }: TakeSummary, { start, end }: TakeStamps): Part[] {
  const heading: Part = { kind: 'heading', text: 'Register and telemetry' };
  if (days.checks.length === 0)
    return [
      heading,
      { kind: 'text', text: 'Nobody has read the register twice in this time: no quarter is verified.' },
    ];
  return [
    heading,
    {
      kind: 'table',
      summary: 'Readings of the register beside what came by telemetry',
      columns: [
        { title: 'PLACE', isRowHead: true },
        { title: `FROM (${days.standardTime})` },
        { title: `TO (${days.standardTime})` },
        { title: 'REGISTER M³', isNumber: true },
        { title: 'TELEMETRY M³', isNumber: true },
        { title: 'DIFFERENCE', isNumber: true },
      ],
      rows: days.checks.map(({ site, from, to, register, telemetry, percent }) => [
        site,
        start(Date.parse(from)),
        end(Date.parse(to)),
        numberText(register, 3),
        numberText(telemetry, 3),
        percent === null ? DASH : `${numberText(percent, 2)} %`,
      ]),
    },
  ];
}
