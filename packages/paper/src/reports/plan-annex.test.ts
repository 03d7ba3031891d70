import { describe, expect, it } from 'vitest';
import { cellText, type Part } from '../paper.ts';
import { made, NOW } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { type AnnexData, planAnnexReport } from './plan-annex.ts';

const month = (groupUID: string, from: string, to: string, over = {}) => ({
  groupUID,
  from,
  to,
  days: 30,
  known: 0,
  mm: null,
  mostMm: null,
  notKnown: 0,
  wateringDays: 0,
  read: 0,
  kpa: null,
  wetter: null,
  ...over,
});
const october = ['2026-10-01', '2026-10-30'] as const;
const november = ['2026-11-01', '2026-11-30'] as const;
const data: AnnexData = {
  start: '2026-10-01',
  stop: '2026-11-30',
  boundary: [
    { lat: -43.75, lng: 172.02 },
    { lat: -43.75, lng: 172.05 },
    { lat: -43.77, lng: 172.03 },
  ],
  boundaryHa: 204.47,
  irrigatedHa: null,
  places: [
    { lat: -43.755, lng: 172.03 },
    { lat: -43.756, lng: 172.03 },
    { lat: -43.757, lng: 172.03 },
  ],
  sprinklers: 3,
  groups: [
    {
      uid: 'n',
      name: '=North',
      sprinklers: 2,
      parts: 1,
      middle: { lat: -43.755, lng: 172.03 },
      probe: { name: 'Top', refillKpa: 30 },
    },
    { uid: 's', name: 'South', sprinklers: 1, parts: 0, middle: null, probe: null },
  ],
  months: [
    month('n', ...october, {
      known: 20,
      mm: 40,
      mostMm: 44,
      notKnown: 2,
      wateringDays: 8,
      read: 6,
      kpa: 40,
      wetter: 2,
      days: 30,
    }),
    month('n', ...november, { known: 10, mm: 20, mostMm: 20, wateringDays: 4, read: 2, kpa: 20, wetter: 1 }),
    month('s', ...october, { known: 20, mm: 10, mostMm: 10, wateringDays: 2 }),
    month('s', ...november),
  ],
  rain: [
    { from: october[0], to: october[1], days: 30, known: 12, mm: 31.4 },
    { from: november[0], to: november[1], days: 30, known: 0, mm: null },
  ],
  gauge: 'Top',
  meters: [
    {
      consentNo: 'CRC1',
      site: 'M1',
      device: 'Bore',
      endsAt: null,
      verifiedOn: '2024-03-14',
      nextVerification: '2029-03-14',
    },
    {
      consentNo: 'CRC1',
      site: 'M2',
      device: 'River',
      endsAt: null,
      verifiedOn: null,
      nextVerification: '2026-03-14',
    },
  ],
  leaks: [
    { tank: 'House', since: new Date(NOW - 5_400_000).toISOString(), until: null, watchedUntil: null },
    {
      tank: 'Shed',
      since: new Date(NOW - 9_000_000).toISOString(),
      until: null,
      watchedUntil: new Date(NOW - 1_800_000).toISOString(),
    },
  ],
  leakCount: 2,
  isWatchedForLeaks: true,
  toReckon: 31,
};
const tables = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'table' ? [part.rows.map((row) => row.map(cellText))] : []));
const factOf = (parts: readonly Part[], label: string) =>
  parts.flatMap((part) => (part.kind === 'facts' ? part.facts : [])).find(([name]) => name === label)?.[1];
const texts = (parts: readonly Part[]) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));

describe('the annex for a farm environment plan', () => {
  it('has what was given by group and month, with how much of it is known', () => {
    const { paper } = planAnnexReport(data, made);
    const [groups, rain, meters, leaks, months] = tables(paper.parts);
    // Of 8 starts that were read, 6 at 40 kPa and 2 at 20: (6 × 40 + 2 × 20) ÷ 8 = 35.
    expect(groups).toEqual([
      ['=North', '2, 1 part', '30 of 60', '60.0', '64.0', '12 days', '35', '3 of 8'],
      ['South', '1', '20 of 60', '10.0', '10.0', '2 days', '–', '–'],
    ]);
    expect(months?.[0]).toEqual(['=North', '10/2026', '20 of 30', '40.0', '44.0', '8 days', '40', '2 of 6']);
    // Nothing was heard: neither zero mm nor zero days.
    expect(months?.[3]).toEqual(['South', '11/2026', '0 of 30', '–', '–', '–', '–', '–']);
    expect(rain).toEqual([
      ['10/2026', '12 of 30', '31.4'],
      ['11/2026', '0 of 30', '–'],
    ]);
    expect(meters).toEqual([
      ['Bore', 'CRC1', 'M1', '14/03/2024', 'valid to 14/03/2029'],
      ['River', 'CRC1', 'M2', 'not entered', 'over since 14/03/2026'],
    ]);
    expect(leaks).toEqual([
      ['House', '22/11/2026 05:00', 'goes on', '1.5 h'],
      ['Shed', '22/11/2026 04:00', 'not known; watched until 22/11/2026 06:00', 'at least 2.0 h'],
    ]);
    expect(factOf(paper.parts, 'Begun wetter')).toBe('3 of 8 (38 %) than the refill point');
    expect(factOf(paper.parts, 'Depth known')).toBe('50 of 120 days of groups (41.6 %)');
    expect(factOf(paper.parts, 'Not known')).toBe('2 waterings of sprinklers: whether, or how long');
    expect(factOf(paper.parts, 'Not reckoned yet')).toMatch(/^31 days/);
  });

  it('says "not measured" of what nobody measured', () => {
    const bare: AnnexData = {
      ...data,
      boundary: [],
      boundaryHa: null,
      places: [],
      sprinklers: 0,
      groups: [],
      months: [],
      toReckon: 0,
      rain: [],
      gauge: null,
      meters: [],
      leaks: [],
      leakCount: 0,
      isWatchedForLeaks: false,
    };
    const { paper } = planAnnexReport(bare, made);
    expect(tables(paper.parts)).toEqual([]);
    expect(texts(paper.parts)).toEqual([
      'Not measured: no sprinkler has a place on the map.',
      'Not measured: the farm has no groups.',
      'Not measured: no group has a soil moisture site and a refill point.',
      'Not measured: no gauge told of rain, and nobody entered any.',
      'Not measured: no water take has a meter.',
      'Not measured: no bucket tests are kept here. How even sprinklers water is not known.',
      'No leak was told of in these days. No alert watches for them now: that none is listed says nothing.',
    ]);
  });

  it('of a farm of which no day is known it draws nothing', () => {
    const silent = { ...data, months: data.months.map(({ groupUID }) => month(groupUID, ...october)) };
    expect(texts(planAnnexReport(silent, made).paper.parts)).toContain(
      'Not measured: of none of these days it is known what was watered.',
    );
  });

  it('has a row in its file for each row of its tables, with the same numbers', () => {
    const { paper, csv } = planAnnexReport(data, made);
    const lines = csv.trim().split('\r\n').slice(1);
    expect(lines).toHaveLength(tables(paper.parts).flat().length);
    expect(lines[0]).toBe("group,'=North,2026-10-01,2026-11-30,60,30,60,64,2,12,8,35,3,2 sprinklers");
    expect(lines[5]).toBe('month,South,2026-11-01,2026-11-30,30,0,,,0,0,0,,,');
  });

  it.skipIf(!hasPoppler)(
    'is tagged, with words for its map and its chart, and no picture of dots',
    async () => {
      const { faults, struct, figures } = judge(await writePdf(planAnnexReport(data, made).paper, fonts()));
      expect(faults).toEqual([]);
      // 2 + 4 + 2 + 2 + 2 rows, and five heads.
      expect(countOf(struct, 'TR')).toBe(17);
      expect(figures).toEqual([
        'Map of 3 sprinklers within the boundary of the farm, with the names of 1 group.',
        'Depth and rain by month: the most was given in 10/2026, 30.0 mm.',
      ]);
    },
  );
});
