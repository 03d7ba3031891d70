import type { AnnexMonth, AnnexRain, PlanAnnex } from '@headrace/contract/plan-annex';
import { areaText } from '@headrace/contract/rules/polygon';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import type { LatLng } from '@headrace/contract/schemas';
import { countText } from '@headrace/contract/rules/number-text';
import { columnChart } from '../charts/column-chart.ts';
import { farmMap } from '../charts/farm-map.ts';
import { DASH, dayText, type Made, paperOf, type Report, stamp } from '../made.ts';
import { numberText, percentText } from '../numbers.ts';
import type { Cell, Column, Fact, Part } from '../paper.ts';
import { seasonOf } from './annex-season.ts';

export interface AnnexData extends PlanAnnex {
  readonly boundary: readonly LatLng[];
  /** Of sprinklers in service. */
  readonly places: readonly LatLng[];
}

/** Rows of months and groups on paper: more are read in the CSV. */
export const ANNEX_ROWS_ON_PAPER = 1500;
/** Names on the map would cover each other. */
const NAMES_ON_MAP = 30;

/** What a farm environment plan asks of a farm's irrigation: what was measured, and how complete that is. */
export function planAnnexReport(data: AnnexData, made: Made): Report {
  const parts: Part[] = [
    { kind: 'facts', facts: factsOf(data) },
    ...mapOf(data),
    ...depths(data),
    ...soil(data),
    ...rain(data),
    ...meters(data, made),
    { kind: 'heading', text: 'Bucket tests' },
    {
      kind: 'text',
      text: 'Not measured: no bucket tests are kept here. How even sprinklers water is not known.',
    },
    ...leaks(data, made),
    ...monthByMonth(data),
  ];
  const period = `${dayText(data.start)} – ${dayText(data.stop)}`;
  const paper = paperOf(made, { title: 'Farm environment plan: irrigation', period, parts });
  return { paper, csv: csvOf(data) };
}

const seasons = ({ groups, months }: PlanAnnex) =>
  groups.map((group) => ({
    group,
    season: seasonOf(months.filter(({ groupUID }) => groupUID === group.uid)),
  }));

/** "12 of 40 (30 %)"; what nothing was read of is not measured. */
const shareText = (wetter: number | null, read: number): string =>
  wetter === null || read === 0
    ? 'not measured'
    : `${numberText(wetter)} of ${numberText(read)} (${percentText(Math.round((100 * wetter) / read))})`;

function factsOf(data: AnnexData): Fact[] {
  const { start, stop, boundaryHa, irrigatedHa, sprinklers, groups, rain: rained, toReckon } = data;
  const all = seasonOf(data.months);
  const rainDays = rained.reduce((sum, { known }) => sum + known, 0);
  const days = rained.reduce((sum, month) => sum + month.days, 0);
  const rainMm = rained.reduce((sum, { mm }) => sum + (mm ?? 0), 0);
  return [
    ['Days', `${dayText(start)} to ${dayText(stop)}, ${countText(days, 'day')}`],
    [
      'Area',
      boundaryHa === null
        ? 'not measured: no boundary is drawn'
        : `${areaText(boundaryHa)} within the boundary`,
    ],
    ['Irrigated', irrigatedHa === null ? 'not entered' : `${areaText(irrigatedHa)}, as entered`],
    ['Sprinklers', `${numberText(sprinklers)} in service, in ${countText(groups.length, 'group')}`],
    [
      'Depth known',
      all.days === 0
        ? 'not measured'
        : `${numberText(all.known)} of ${numberText(all.days)} days of groups (${percentText(Math.floor((1000 * all.known) / all.days) / 10)})`,
    ],
    [
      'Not known',
      all.notKnown === 0
        ? 'No watering'
        : `${countText(all.notKnown, 'watering')} of sprinklers: whether, or how long`,
    ],
    [
      'Rain',
      rainDays === 0
        ? 'not measured'
        : `${numberText(rainMm, 1)} mm, known of ${numberText(rainDays)} of ${countText(days, 'day')}`,
    ],
    ['Begun wetter', `${shareText(all.wetter, all.read)} than the refill point`],
    ...(toReckon > 0
      ? [
          [
            'Not reckoned yet',
            `${countText(toReckon, 'day')}: make this report again in some minutes`,
          ] as const,
        ]
      : []),
  ];
}

function mapOf({ boundary, places, groups }: AnnexData): Part[] {
  const heading: Part = { kind: 'heading', text: 'Area and groups' };
  const names =
    groups.length > NAMES_ON_MAP
      ? []
      : groups.flatMap(({ name, middle }) => (middle ? [{ name, ...middle }] : []));
  const points = places.map((place) => ({ ...place, mark: 'spare' as const }));
  const drawing = farmMap(boundary, points, [['spare', 'Sprinkler in service']], names);
  if (!drawing)
    return [heading, { kind: 'text', text: 'Not measured: no sprinkler has a place on the map.' }];
  const words = `Map of ${countText(places.length, 'sprinkler')}${boundary.length > 2 ? ' within the boundary of the farm' : ''}${names.length > 0 ? `, with the names of ${countText(names.length, 'group')}` : ''}.`;
  return [heading, { kind: 'figure', words, drawing }];
}

/** The farm's months, each the mean of its groups by their sprinklers; null: of no group anything is known. */
function farmMonths({ groups, months, rain: rained }: PlanAnnex) {
  const sprinklers = new Map(groups.map((group) => [group.uid, group.sprinklers]));
  return rained.map(({ from, to }) => {
    const of = months.filter((month) => month.from === from && month.mm !== null);
    const weight = of.reduce((sum, { groupUID }) => sum + (sprinklers.get(groupUID) ?? 0), 0);
    const mm = of.reduce((sum, month) => sum + (month.mm ?? 0) * (sprinklers.get(month.groupUID) ?? 0), 0);
    return { from, to, mm: weight === 0 ? null : mm / weight };
  });
}

const monthText = ({ from }: Pick<AnnexMonth, 'from'>) => dayText(from).slice(3);

function depths(data: AnnexData): Part[] {
  const heading: Part = { kind: 'heading', text: 'Depth by month and group' };
  if (data.groups.length === 0)
    return [heading, { kind: 'text', text: 'Not measured: the farm has no groups.' }];
  const known = farmMonths(data);
  if (known.every(({ mm }) => mm === null))
    return [
      heading,
      { kind: 'text', text: 'Not measured: of none of these days it is known what was watered.' },
    ];
  const most = known.reduce((best, month) => ((month.mm ?? -1) > (best.mm ?? -1) ? month : best));
  return [
    heading,
    {
      kind: 'text',
      text: 'Depth is the mean of a group’s sprinklers of a full circle as their valves said, and at most what it would be if those that were not heard watered as planned, and those of which it isn’t known how long were open for as long as they may have been. A day counts as known where sprinklers of the farm were heard on it; of the others nothing is counted, and a month without any has a dash.',
    },
    {
      kind: 'figure',
      words: `Depth and rain by month: the most was given in ${monthText(most)}, ${numberText(most.mm, 1)} mm.`,
      drawing: columnChart({
        series: [
          { name: 'Irrigation', ink: 'deep' },
          { name: 'Rain', ink: 'pale' },
        ],
        groups: known.map((month, nth) => ({
          label: monthText(month),
          values: [month.mm, data.rain[nth]?.mm ?? null],
        })),
        unit: 'mm',
      }),
    },
    table(
      'What each group was given in these days',
      'GROUP',
      ['SPRINKLERS', ...depthHeads],
      seasons(data).map(({ group, season }) => [
        group.name,
        `${numberText(group.sprinklers)}${group.parts > 0 ? `, ${numberText(group.parts)} part` : ''}`,
        ...depthCells(season),
      ]),
    ),
  ];
}

/** The long one comes last: what is asked first stands on the first pages. */
function monthByMonth(data: AnnexData): Part[] {
  if (data.months.every(({ mm }) => mm === null)) return [];
  const rows = data.months.slice(0, ANNEX_ROWS_ON_PAPER);
  const left = data.months.length - rows.length;
  const names = new Map(data.groups.map(({ uid, name }) => [uid, name]));
  return [
    { kind: 'heading', text: 'Depth month by month' },
    table(
      'What each group was given by month',
      'GROUP',
      ['MONTH', ...depthHeads],
      rows.map((month) => [names.get(month.groupUID) ?? DASH, monthText(month), ...depthCells(month)]),
    ),
    ...(left > 0
      ? [
          {
            kind: 'text',
            text: `${countText(left, 'more row')} ${left === 1 ? 'is' : 'are'} left out here: the CSV has all of them.`,
          } as const,
        ]
      : []),
  ];
}

const depthHeads = ['DAYS KNOWN', 'MM', 'AT MOST', 'WATERED', 'SOIL KPA', 'WETTER'];
const depthCells = (of: ReturnType<typeof seasonOf> | AnnexMonth): string[] => [
  `${numberText(of.known)} of ${numberText(of.days)}`,
  numberText(of.mm, 1),
  numberText(of.mostMm, 1),
  of.known === 0 ? DASH : countText(of.wateringDays, 'day'),
  numberText(of.kpa, 0),
  of.wetter === null || of.read === 0 ? DASH : `${numberText(of.wetter)} of ${numberText(of.read)}`,
];

/** Its first column names the rows; the others are short. */
function table(summary: string, head: string, heads: readonly string[], rows: readonly Cell[][]): Part {
  const columns: Column[] = [
    { title: head, isRowHead: true, isLong: true },
    ...heads.map((title): Column => ({ title, isNumber: true })),
  ];
  return { kind: 'table', summary, columns, rows };
}

function soil({ groups }: AnnexData): Part[] {
  const probed = groups.flatMap(({ name, probe }) =>
    probe ? [`${name}: ${probe.name}, refill point ${numberText(probe.refillKpa)} kPa`] : [],
  );
  const heading: Part = { kind: 'heading', text: 'Soil when watering began' };
  const none: Part = {
    kind: 'text',
    text: 'Not measured: no group has a soil moisture site and a refill point.',
  };
  if (probed.length === 0) return [heading, none];
  const text =
    'Soil kPa is the mean tension of the last whole hour before a group’s first sprinkler opened on a day, of three hours back at most. Wetter are the days on which that was below the refill point, as it is set now: the soil still had enough. Days without a reading are not counted.';
  return [heading, { kind: 'text', text }, { kind: 'list', items: probed }];
}

function rain({ rain: months, gauge }: AnnexData): Part[] {
  const heading: Part = { kind: 'heading', text: 'Measured rain' };
  if (months.every(({ mm }) => mm === null))
    return [heading, { kind: 'text', text: 'Not measured: no gauge told of rain, and nobody entered any.' }];
  const from =
    gauge === null ? 'As people entered it.' : `By the gauge of ${gauge}, and as people entered it.`;
  const rows = months.map((month: AnnexRain) => [
    monthText(month),
    `${numberText(month.known)} of ${numberText(month.days)}`,
    numberText(month.mm, 1),
  ]);
  return [heading, { kind: 'text', text: from }, table('Rain by month', 'MONTH', ['DAYS KNOWN', 'MM'], rows)];
}

function meters({ meters: all, stop }: AnnexData, { zone }: Made): Part[] {
  const heading: Part = { kind: 'heading', text: 'Verification of meters' };
  if (all.length === 0) return [heading, { kind: 'text', text: 'Not measured: no water take has a meter.' }];
  const state = (next: string | null) =>
    next === null ? 'not entered' : `${next < stop ? 'over since' : 'valid to'} ${dayText(next)}`;
  return [
    heading,
    table(
      'Meters of water takes',
      'METER',
      ['CONSENT', 'PLACE', 'VERIFIED', 'STATE'],
      all.map((meter) => [
        meter.device,
        meter.consentNo,
        meter.site,
        meter.verifiedOn === null ? 'not entered' : dayText(meter.verifiedOn),
        meter.endsAt === null
          ? state(meter.nextVerification)
          : `taken out ${stamp(Date.parse(meter.endsAt), zone)}`,
      ]),
    ),
  ];
}

const hours = (ms: number) => `${numberText(ms / 3_600_000, 1)} h`;

function leaks({ leaks: all, leakCount, isWatchedForLeaks }: AnnexData, made: Made): Part[] {
  const heading: Part = { kind: 'heading', text: 'Leaks of tanks' };
  const watched = isWatchedForLeaks
    ? 'An alert watches for them now.'
    : 'No alert watches for them now: that none is listed says nothing.';
  if (all.length === 0)
    return [heading, { kind: 'text', text: `No leak was told of in these days. ${watched}` }];
  const text = `${countText(leakCount, 'leak')} ${leakCount === 1 ? 'was' : 'were'} told of. ${watched}`;
  const left = leakCount - all.length;
  return [
    heading,
    { kind: 'text', text: left > 0 ? `${text} The newest ${numberText(all.length)} are listed.` : text },
    table(
      'Leaks that alerts told of',
      'TANK',
      ['BEGAN', 'ENDED', 'LASTED'],
      all.map((leak) => [leak.tank, stamp(Date.parse(leak.since), made.zone), ...endOf(leak, made)]),
    ),
  ];
}

/** When it ended and how long it lasted; of one that nobody watches any more only that it went on until then is known. */
function endOf({ since, until, watchedUntil }: PlanAnnex['leaks'][number], { zone, at }: Made): string[] {
  const lasted = (end: number) => hours(end - Date.parse(since));
  if (watchedUntil !== null) {
    const end = Date.parse(watchedUntil);
    return [`not known; watched until ${stamp(end, zone)}`, `at least ${lasted(end)}`];
  }
  if (until === null) return ['goes on', lasted(at)];
  return [stamp(Date.parse(until), zone), lasted(Date.parse(until))];
}

const tenth = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);

/** A row for each row of its tables; `part` says of which. */
function csvOf(data: PlanAnnex): string {
  const names = new Map(data.groups.map(({ uid, name }) => [uid, name]));
  const depth = (of: ReturnType<typeof seasonOf> | AnnexMonth) => [
    of.days,
    of.known,
    tenth(of.mm),
    tenth(of.mostMm),
    of.notKnown,
    of.wateringDays,
    of.read,
    tenth(of.kpa),
    of.wetter,
  ];
  return writeCsv([
    [
      'part',
      'name',
      'from',
      'to',
      'days',
      'days_known',
      'mm',
      'mm_at_most',
      'not_known',
      'days_watered',
      'soil_read',
      'soil_kpa',
      'begun_wetter',
      'detail',
    ],
    ...seasons(data).map(({ group, season }) => [
      'group',
      group.name,
      data.start,
      data.stop,
      ...depth(season),
      `${group.sprinklers} sprinklers`,
    ]),
    ...data.months.map((month) => [
      'month',
      names.get(month.groupUID) ?? '',
      month.from,
      month.to,
      ...depth(month),
      '',
    ]),
    ...data.rain.map(({ from, to, days, known, mm }) => [
      'rain',
      data.gauge ?? '',
      from,
      to,
      days,
      known,
      tenth(mm),
      null,
      null,
      null,
      null,
      null,
      null,
      '',
    ]),
    ...data.meters.map((meter) => [
      'meter',
      meter.device,
      meter.verifiedOn,
      meter.nextVerification,
      ...nothing,
      `${meter.consentNo}, ${meter.site}`,
    ]),
    ...data.leaks.map(({ tank, since, until, watchedUntil }) => [
      'leak',
      tank,
      since,
      until,
      ...nothing,
      watchedUntil === null ? '' : `end not known; watched until ${watchedUntil}`,
    ]),
  ]);
}

const nothing = Array.from({ length: 9 }, () => null);
