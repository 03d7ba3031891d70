import { describe, expect, it } from 'vitest';
import type { DiaryDay, DiaryLog, DiarySums } from '@headrace/contract/irr-diary';
import { cellText, type Part } from '../paper.ts';
import { made } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { type DiaryData, diaryReport, GROUP_ROWS_ON_PAPER } from './diary-report.ts';

/** 28, 28 and 12 of 28 min at 4 L/s: 68 min are 11.72 mm and 16.32 m³; the mean of the three is 3.91 mm. */
const sums: DiarySums = {
  planned: 4,
  kept: 1,
  watered: 2,
  counts: { watered: 2, short: 1, long: 0, late: 0, missed: 0, 'not known': 1, 'by hand': 0, unplanned: 0 },
  meanMm: 3.91,
  evenness: null,
  measured: 3,
  litres: { least: 16_320, believed: 16_320, most: 23_040 },
};
const day: DiaryDay = {
  day: '2026-11-21',
  ...sums,
  groups: [{ uid: 'g', name: '=River', ...sums }],
  meters: [],
};
const short: DiaryLog = {
  day: '2026-11-21',
  unitUID: 'u',
  sprinkler: 'A13',
  serialNumber: '100413',
  group: 'River',
  scheduleGroup: 'Line 1',
  start: '2026-11-20T16:28:00.000Z',
  stop: '2026-11-20T16:40:00.000Z',
  minutes: 12,
  mm: 2.07,
  volume: 2880,
  bounds: null,
  basis: 'reports' as DiaryLog['basis'],
  isPartSprinkler: false,
  planned: { start: '2026-11-20T16:28:00.000Z', stop: '2026-11-20T16:56:00.000Z', minutes: 28, isHeld: true },
  outcome: 'short',
  isKept: false,
  reasons: [{ code: 'valveOff', at: '2026-11-20T16:40:00.000Z', by: 'Ann', note: '', value: null }],
};
const data: DiaryData = {
  start: '2026-11-20',
  stop: '2026-11-22',
  days: ['2026-11-20', '2026-11-21', '2026-11-22'],
  sums: [day],
  troubles: [short],
  troubleCount: 1,
};
const rowsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'table' ? [part.rows.map((row) => row.map(cellText))] : []));
const factOf = (parts: readonly Part[], label: string) =>
  parts.flatMap((part) => (part.kind === 'facts' ? part.facts : [])).find(([name]) => name === label)?.[1];
const textsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));

describe('the report of the irrigation diary', () => {
  it('has the sums of the days and groups on paper and in the file, and what went wrong with why', () => {
    const { paper, csv } = diaryReport(data, made);
    expect(rowsOf(paper.parts)).toEqual([
      [['21/11/2026', '4', '2', '0', '1', '1', '1', '3.9', '16.32']],
      [['21/11/2026', '=River', '4', '2', '0', '1', '1', '1', '3.9', '16.32']],
      [['Short', 'A13', 'River', '21/11/2026', '05:28 – 05:56', '12', 'Valve Off at 05:40 by Ann']],
    ]);
    expect(csv).toBe(
      [
        '\uFEFFday,group,planned,watered,missed,short,not_known,kept,mean_mm,litres,litres_least,litres_most',
        '2026-11-21,,4,2,0,1,1,1,3.91,16320,16320,23040',
        "2026-11-21,'=River,4,2,0,1,1,1,3.91,16320,16320,23040",
        '',
      ].join('\r\n'),
    );
  });

  it('says how much of it is known, and draws no column where nothing is', () => {
    const { parts, period } = diaryReport(data, made).paper;
    expect(period).toBe('20/11/2026 – 22/11/2026');
    expect(parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []))).toEqual([
      ['Days', '1 of 3 with runs, planned or heard'],
      ['Watered', '2 of 4 planned'],
      ['Missed, short', '0, 1'],
      ['Not known', '1, which were not heard of'],
      ['Kept from it', '1 inhibited, held or out of service'],
      ['Water', '16 m³, possibly 16 to 23'],
    ]);
    expect(parts.find((part) => part.kind === 'figure')?.words).toBe(
      'Mean depth by day, mm, known of 1 day of 3; the most 3.9 mm on 21/11/2026.',
    );
  });

  it('has a dash for the water of which nothing is known, and none in the file', () => {
    const counts = { ...sums.counts, watered: 0, short: 0, 'not known': 4 };
    const litres = { least: 0, believed: null, most: 26_880 };
    const lost: DiaryDay = { ...day, counts, litres, watered: 0, meanMm: null, measured: 0, groups: [] };
    const { paper, csv } = diaryReport({ ...data, sums: [lost] }, made);
    expect(factOf(paper.parts, 'Water')).toBe('–, possibly up to 27 m³');
    expect(rowsOf(paper.parts)[0]).toEqual([['21/11/2026', '4', '0', '0', '0', '4', '1', '–', '–']]);
    // No empty axis, which would look as if nothing was given.
    expect(paper.parts.some(({ kind }) => kind === 'figure')).toBe(false);
    expect(textsOf(paper.parts)).toContain('Of none of these days it is known.');
    expect(csv).toContain('2026-11-21,,4,0,0,0,4,1,,,0,26880\r\n');
    // A day that is known beside it: 16.32 m³, and with 26.88 more 49.92 at most.
    const both = diaryReport({ ...data, sums: [lost, day] }, made).paper.parts;
    expect(factOf(both, 'Water')).toBe('16 m³, possibly 16 to 50');
  });

  it('says that nothing was planned, and not that all of it was heard of', () => {
    const counts = { ...sums.counts, watered: 0, short: 0, 'not known': 0, 'by hand': 1 };
    const byHand: DiaryDay = { ...day, counts, planned: 0, watered: 0, kept: 0 };
    const of = (sum: DiaryDay) =>
      diaryReport({ ...data, sums: [sum], troubles: [], troubleCount: 0 }, made).paper.parts;
    expect(factOf(of(byHand), 'Not known')).toBe('Nothing was planned');
    expect(textsOf(of(byHand)).at(-1)).toBe('Nothing was planned.');
    expect(factOf(of({ ...byHand, kept: 2 }), 'Not known')).toBe(
      'None: all that was planned was kept from it',
    );
  });

  it('of more groups and days than anybody reads has the last, says so, and has all in the file', () => {
    const groups = Array.from({ length: 2000 }, (_none, n) => ({ ...sums, uid: `${n}`, name: `G${n}` }));
    const both = ['2026-11-21', '2026-11-22'].map((of) => ({ ...day, day: of, groups }));
    const { paper, csv } = diaryReport({ ...data, sums: both }, made);
    const rows = rowsOf(paper.parts)[1];
    expect([rows?.length, rows?.[0]?.[1], rows?.at(-1)?.[0]]).toEqual([
      GROUP_ROWS_ON_PAPER,
      'G1000',
      '22/11/2026',
    ]);
    expect(textsOf(paper.parts).join(' ')).toContain(
      '1,000 rows of the first days are left out here: the CSV has all of them.',
    );
    expect(csv.split('\r\n')).toHaveLength(1 + 2 * 2001 + 1);
  });

  it('of days without a run is a sentence, and of too many troubles says where the others are', () => {
    const none = diaryReport({ ...data, sums: [], troubles: [], troubleCount: 0 }, made).paper.parts;
    expect(textsOf(none)).toEqual(['There are no runs from 20/11/2026 to 22/11/2026.']);
    expect(textsOf(diaryReport({ ...data, troubleCount: 3 }, made).paper.parts)).toContain(
      '2 more waterings went otherwise than planned: the CSV of the diary has all of them.',
    );
  });

  it.skipIf(!hasPoppler)('is a PDF with a row for each', async () => {
    const { faults, struct } = judge(await writePdf(diaryReport(data, made).paper, fonts()));
    expect(faults).toEqual([]);
    expect(countOf(struct, 'TR')).toBe(3 + 3);
  });
});
