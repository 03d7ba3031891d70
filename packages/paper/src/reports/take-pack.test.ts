import { describe, expect, it } from 'vitest';
import { standardTime, takeDayAt } from '@headrace/contract/rules/water-take/clock';
import { counterVolumes } from '@headrace/contract/rules/water-take/meter-volumes';
import { placeVolumes, quarterRows } from '@headrace/contract/rules/water-take/rows';
import { cellText, type Part } from '../paper.ts';
import { made } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { type PackData, takeTables } from './take-pack.ts';
import { takePaper, takeSummary } from './take-paper.ts';

const time = standardTime({ rawOffset: 43_200 });
const start = takeDayAt(time, '2026-11-22') ?? 0;
const said = [
  [0, 1000],
  [15, 1004],
  [30, 1004],
  [120, 1030],
].map(([minute = 0, value = 0]) => ({ at: start + minute * 60_000, value }));
const numbersOf = (readings: readonly { at: number; value: number }[]) =>
  Float64Array.from(readings.flatMap(({ at, value }) => [at, value]));
const to = start + 120 * 60_000;
const rows = [
  ...quarterRows(
    [...placeVolumes([{ from: start, to, stretches: counterVolumes(said, { m3PerUnit: 1 }) }], start, to)],
    start,
    to,
  ),
];
const use = {
  used: 30,
  cutM3: 0,
  isWhole: true,
  measuredFrom: null,
  measuredTo: null,
  most: 1728,
  left: 1698,
  reachedAt: null,
  isRestricted: false,
};
const meter = {
  uid: 'm',
  deviceUID: 'd',
  metric: 'pulsesTotal' as const,
  site: '123456M1',
  measure: 'Compliance Volume',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: null,
  verifiedOn: '2024-03-14',
  nextVerification: '2029-03-14',
  pipe: 'full' as const,
  m3PerUnit: 1,
  isByVolume: false,
  device: '=Bore',
  isGone: false,
  readings: [],
};
const data: PackData = {
  time,
  take: {
    uid: 't',
    consentNo: 'CRC012345',
    holder: '',
    council: '',
    source: 'Bore M36/1234',
    maxLps: 20,
    maxM3Day: 1728,
    maxM37Day: null,
    maxM3Year: null,
    validFrom: null,
    validTo: null,
    restrictionNote: '',
    restrictions: [],
    meters: [meter],
    version: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
  },
  places: [
    {
      site: meter.site,
      measure: meter.measure,
      rows: rows.map((row) => ({ ...row, code: row.state === 'missing' ? 100 : 0 })),
    },
  ],
  said: [{ meter, pages: [numbersOf(said)] }],
  options: { codes: true, gapsLeftOut: false },
  days: {
    standardTime: 'NZST',
    from: '2026-11-22',
    to: '2026-11-22',
    until: new Date(to).toISOString(),
    days: [
      {
        day: '2026-11-22',
        m3: 30,
        cutM3: 0,
        isWhole: true,
        rows: 8,
        measured: 2,
        shared: 0,
        estimated: 0,
        missing: 6,
        highestLps: 4.444,
        cells: 'mz------',
        hasOldSettings: false,
      },
    ],
    taken: { m3: 30, cutM3: 0, isWhole: true },
    gaps: [
      {
        from: '2026-11-21T12:30:00.000Z',
        to: '2026-11-21T14:00:00.000Z',
        rows: 6,
        m3: 26,
        isCut: false,
        cause: 'silent',
        note: '=Lightning',
      },
    ],
    gapCount: 1,
    exceedances: [],
    exceedanceCount: 0,
    checks: [],
    use: { consent: 'valid', today: use, sevenDays: use, year: use, lps: null },
  },
};
const fileOf = async (name: string, of = data) => {
  let text = '';
  for await (const piece of takeTables(of, made).find((file) => file.name === name)?.pieces ?? [])
    text += piece;
  return text;
};
const HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const paperOf = (of = data) => takePaper(takeSummary(of, [{ name: 'gaps.csv', sha256: HASH }]), made);
const factOf = (parts: readonly Part[], label: string) =>
  parts.flatMap((part) => (part.kind === 'facts' ? part.facts : [])).find(([name]) => name === label)?.[1];

describe('the evidence pack', () => {
  it('has each quarter with its state, its code and the counter that it rests on', async () => {
    expect((await fileOf('volumes-15min.csv')).split('\r\n').slice(0, 4)).toEqual([
      '\uFEFFsite,measure,end_NZST,end,m3,state,code,counter_before_m3,counter_after_m3',
      '123456M1,Compliance Volume,2026-11-22 00:15,2026-11-22T00:15:00+12:00,4.000,measured,0,1000.000,1004.000',
      '123456M1,Compliance Volume,2026-11-22 00:30,2026-11-22T00:30:00+12:00,0.000,measured,0,1004.000,1004.000',
      '123456M1,Compliance Volume,2026-11-22 00:45,2026-11-22T00:45:00+12:00,,missing,100,1004.000,1030.000',
    ]);
    const options = { codes: false, gapsLeftOut: false };
    expect(await fileOf('volumes-15min.csv', { ...data, options })).not.toContain('code');
  });

  it('has hours, days, gaps and what the meter said, and no formula of a name', async () => {
    // Two quarters of each hour, or all four, lie in a gap of 26 m³: nobody knows what of it is the hour's.
    expect(await fileOf('volumes-hour.csv')).toBe(
      [
        '\uFEFFsite,measure,end_NZST,m3,measured_of_4,highest_lps,all_known',
        '123456M1,Compliance Volume,2026-11-22 01:00,4.000,2,4.444,no',
        '123456M1,Compliance Volume,2026-11-22 02:00,,0,,no',
        '',
      ].join('\r\n'),
    );
    expect(await fileOf('volumes-day.csv')).toContain('2026-11-22,30.000,2,0,0,6,4.444,yes,no');
    expect(await fileOf('gaps.csv')).toContain(
      "2026-11-22T00:30:00+12:00,2026-11-22T02:00:00+12:00,6,26.000,no,silent,'=Lightning",
    );
    expect(await fileOf('readings.csv')).toContain(
      "'=Bore,123456M1,Compliance Volume,pulsesTotal,1,2026-11-21T12:15:00.000Z,1004\r\n",
    );
    expect(await fileOf('hilltop.xml')).toContain('<V>22-Nov-2026 02:00:00 26.000</V>');
  });

  it('puts nothing at zero of which nothing was heard, in no table and not on paper', async () => {
    const gone = rows.map((row) => ({ ...row, m3: null, known: null, state: 'missing' as const, code: 100 }));
    const unknown = {
      ...data.days.use.today,
      used: 0,
      isWhole: false,
      most: 1728,
      left: 1728,
      reachedAt: null,
    };
    const [day] = data.days.days;
    const silent: PackData = {
      ...data,
      places: [{ site: 'S', measure: 'V', rows: gone }],
      days: {
        ...data.days,
        days: day ? [{ ...day, m3: 0, isWhole: false, measured: 0, missing: 8, highestLps: null }] : [],
        taken: { m3: 0, cutM3: 0, isWhole: false },
        use: { ...data.days.use, today: unknown, sevenDays: unknown, year: unknown, lps: null },
      },
    };
    expect(await fileOf('volumes-hour.csv', silent)).toContain('S,V,2026-11-22 01:00,,0,,no');
    expect(await fileOf('volumes-day.csv', silent)).toContain('2026-11-22,,0,0,0,8,,no');
    const { parts } = paperOf(silent);
    expect([factOf(parts, 'Taken'), factOf(parts, 'Last day')]).toEqual(['not known', 'not known']);
  });

  it('sums up on paper as of when it is known, and not when it was made', () => {
    const { parts, foot } = paperOf();
    expect(foot).toMatch(/^By Mere Ellison · as of 22\/11\/2026 05:30 NZST/);
    expect(factOf(parts, 'Taken')).toBe('30.000 m³');
    expect(factOf(parts, 'Measured')).toBe('2 of 8 quarters (25 %)');
    expect(factOf(parts, 'Valid to')).toBe('14/03/2029');
    const tables = parts.flatMap((part) =>
      part.kind === 'table' ? part.rows.map((row) => row.map(cellText)) : [],
    );
    expect(tables).toEqual([
      ['22/11/2026 00:30', '22/11/2026 02:00', '6', '26.000', 'nothing came from the meter. =Lightning'],
      ['gaps.csv', HASH],
    ]);
  });

  it('has one clock on paper and in its files, and what the consent allows as it was entered', () => {
    const at = { from: '2026-11-21T12:00:00.000Z', to: '2026-11-22T12:00:00.000Z' };
    const above = { at, isWithinAccuracy: false, isRestricted: false, isWhole: true };
    const day: PackData['days']['exceedances'][number] = {
      ...above,
      limit: 'day',
      value: 449.657,
      most: 430.125,
    };
    const limits = { maxLps: 12.25, maxM3Day: 430.125, validTo: '2030-06-30' };
    const of: PackData = {
      ...data,
      take: { ...data.take, ...limits, meters: data.take.meters.map((one) => ({ ...one, endsAt: at.to })) },
      days: { ...data.days, exceedances: [day], exceedanceCount: 1 },
    };
    // As of the last millisecond of a day that is over.
    const { parts, foot } = takePaper(takeSummary(of, []), { ...made, at: Date.parse(at.to) - 1 });
    expect(foot).toMatch(/as of 22\/11\/2026 24:00 NZST/);
    expect(
      ['Highest rate', 'A day', 'A water year', 'Valid', 'In place'].map((label) => factOf(parts, label)),
    ).toEqual([
      '12.25 L/s',
      '430.125 m³',
      'none entered',
      '… – 30/06/2030',
      '01/01/2026 12:00 – 22/11/2026 24:00',
    ]);
    expect(factOf(paperOf().parts, 'Valid')).toBe('not entered');
    const [table] = parts.flatMap((part) => (part.kind === 'table' ? [part] : []));
    expect(table?.columns.slice(0, 2).map(({ title }) => title)).toEqual(['FROM (NZST)', 'TO (NZST)']);
    expect(table?.rows[0]?.slice(0, 5).map(cellText)).toEqual([
      '22/11/2026 00:00',
      '22/11/2026 24:00',
      'day, m³',
      '449.66',
      '430.125',
    ]);
  });

  it('says of a silence at several places that it may be of one meter alone', () => {
    const [meter] = data.take.meters;
    const two: PackData = {
      ...data,
      take: { ...data.take, meters: meter ? [meter, { ...meter, uid: 'm2', site: 'Second bore' }] : [] },
    };
    const said = paperOf(two).parts.flatMap((part) =>
      part.kind === 'table' ? part.rows.map((row) => row.map(cellText).at(-1)) : [],
    );
    expect(said).toContain('nothing came from one meter or more. =Lightning');
  });

  it('says what an edge cuts: a gap without a volume, the least that was taken, and what is not shared out', async () => {
    const [gap] = data.days.gaps;
    const at = { from: '2026-11-21T12:00:00.000Z', to: '2026-11-22T12:00:00.000Z' };
    const above = { limit: 'day' as const, at, isWithinAccuracy: false, isRestricted: false };
    const today = { ...data.days.use.today, used: 4, cutM3: 26, isWhole: false, left: 1724 };
    const cut: PackData = {
      ...data,
      days: {
        ...data.days,
        gaps: gap ? [{ ...gap, m3: null, isCut: true }] : [],
        taken: { m3: 4, cutM3: 26, isWhole: false },
        exceedances: [{ ...above, value: 4, most: 3, isWhole: false }],
        exceedanceCount: 1,
        use: { ...data.days.use, today },
      },
    };
    expect(await fileOf('gaps.csv', cut)).toContain(",6,,yes,silent,'=Lightning");
    expect(await fileOf('exceedances.csv', cut)).toContain(',day,4.000,3,m3,1.000,no,no,no\r\n');
    const { parts } = paperOf(cut);
    const notShared = '(gaps of 26.000 m³ over its start or end aren’t shared out)';
    expect(factOf(parts, 'Taken')).toBe(`at least 4.000 m³ ${notShared}`);
    expect(factOf(parts, 'Last day')).toBe(`at least 4.0 m³ used, at most 1,724.0 left ${notShared}`);
    const over = { ...cut, days: { ...cut.days, use: { ...cut.days.use, today: { ...today, left: -38 } } } };
    expect(factOf(paperOf(over).parts, 'Last day')).toBe(
      `at least 4.0 m³ used, at least 38.0 above its limit ${notShared}`,
    );
    const cells = parts.flatMap((part) =>
      part.kind === 'table' ? part.rows.map((row) => row.map(cellText).at(-1)) : [],
    );
    expect(cells).toEqual([
      'above; at least that much, more may have been taken',
      'nothing came from the meter; it goes on outside these days, so what went through in them is not known. =Lightning',
      HASH,
    ]);
  });

  it('says where a day is more than its quarters add up to, and of a gap over midnight that no day has it', () => {
    const textsOf = (values: Partial<PackData['days']['days'][number]>) => {
      const days = data.days.days.map((day) => ({ ...day, ...values }));
      const { parts } = paperOf({ ...data, days: { ...data.days, days } });
      const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
      return [/may be more than its others add up to/, /over a midnight counts in neither/].map((text) =>
        text.test(texts),
      );
    };
    expect(textsOf({})).toEqual([true, false]);
    expect(textsOf({ cutM3: 26 })).toEqual([true, true]);
    expect(textsOf({ missing: 0 })).toEqual([false, false]);
    expect(textsOf({ m3: 0, isWhole: false })).toEqual([false, false]);
  });

  it('says which takes need no such records', () => {
    const texts = paperOf().parts.map((part) => (part.kind === 'text' ? part.text : ''));
    expect(
      texts.some((text) => /gives all its water back .*\(regulation 4\(2\)\).*by the week/.test(text)),
    ).toBe(true);
  });

  it('tells two measures at one site apart in each table of volumes', async () => {
    const [place] = data.places;
    const two = { ...data, places: place ? [place, { ...place, measure: 'Second Volume' }] : [] };
    for (const name of ['volumes-15min.csv', 'volumes-hour.csv'])
      expect(await fileOf(name, two)).toContain('123456M1,Second Volume,2026-11-22 0');
  });

  it('says of which days a meter was reckoned with other settings, on paper and in the table', async () => {
    const days = data.days.days.map((day) => ({ ...day, hasOldSettings: true }));
    const old = { ...data, days: { ...data.days, days } };
    const texts = paperOf(old).parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    expect(texts.some((text) => /^Reckoned with other settings .*: 22\/11\/2026\./.test(text))).toBe(true);
    expect(await fileOf('volumes-day.csv', old)).toContain('4.444,yes,yes');
  });

  it.runIf(hasPoppler)('is a tagged PDF whose figures have words, the same bytes each time', async () => {
    const paper = paperOf();
    const pdf = await writePdf(paper, fonts());
    const { faults, struct, figures } = judge(pdf);
    expect(faults).toEqual([]);
    // A row for each of gaps.csv and its head, one for a file and its head; no picture of dots.
    const gaps = (await fileOf('gaps.csv')).trim().split('\r\n').length;
    expect(countOf(struct, 'TR')).toBe(gaps + 2);
    expect(figures).toEqual(['Quarters of the days from 22/11/2026 to 22/11/2026: 6 quarters missing.']);
    expect(Buffer.compare(pdf, await writePdf(paperOf(), fonts()))).toBe(0);
  });

  it.runIf(hasPoppler)('cuts no figure, also where it is wider in plain than in strong letters', async () => {
    const at = { from: '2026-11-21T12:00:00.000Z', to: '2026-11-22T12:00:00.000Z' };
    const day = { limit: 'day' as const, at, isWhole: true, isWithinAccuracy: false, isRestricted: false };
    const exceedances = [{ ...day, value: 980.1, most: 900 }];
    const paper = paperOf({ ...data, days: { ...data.days, exceedances, exceedanceCount: 1 } });
    const { text } = judge(await writePdf(paper, fonts()));
    expect(text).toContain('980.10');
    expect(text).toContain('900.00');
  });
});
