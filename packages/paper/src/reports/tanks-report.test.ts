import { describe, expect, it } from 'vitest';
import type { TankDay } from '@headrace/contract/rules/tank-days';
import { cellText, type Part } from '../paper.ts';
import { made } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { TANK_ROWS_ON_PAPER, tanksReport, type TanksData } from './tanks-report.ts';

const day = (date: string, over: Partial<TankDay> = {}): TankDay => ({
  day: date,
  lowest: 40,
  highest: 95.5,
  used: 1200,
  source: 'level',
  isShared: false,
  isWhole: true,
  ...over,
});
const silent = (date: string) => day(date, { lowest: null, highest: null, used: null, source: null });
const data: TanksData = {
  start: '2026-11-19',
  stop: '2026-11-22',
  tanks: [
    {
      uid: 't1',
      name: 'House',
      // 1,200 and 300 L of two days; on the second nothing was read. The day before them it was heard from noon on alone.
      days: [
        day('2026-11-19', { used: 100, isWhole: false }),
        day('2026-11-20'),
        day('2026-11-21', { lowest: null, highest: null, used: 300, isShared: true }),
        silent('2026-11-22'),
      ],
    },
    { uid: 't2', name: '=Dairy', days: ['19', '20', '21', '22'].map((date) => silent(`2026-11-${date}`)) },
  ],
};
const rowsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'table' ? [part.rows.map((row) => row.map(cellText))] : []));
const factOf = (parts: readonly Part[], label: string) =>
  parts.flatMap((part) => (part.kind === 'facts' ? part.facts : [])).find(([name]) => name === label)?.[1];

describe('the report of tanks', () => {
  it('has the same days on paper and in the file, and a dash for what is not known', () => {
    const { paper, csv } = tanksReport(data, made);
    const [sums, days] = rowsOf(paper.parts);
    expect(sums).toEqual([
      ['House', '2', '40 %', '96 %', '1,600', '3', '750'],
      ['=Dairy', '0', '–', '–', '–', '0', '–'],
    ]);
    expect(days?.slice(0, 5)).toEqual([
      ['House', '19/11/2026', '40 %', '96 %', '100', 'level, part of the day'],
      ['House', '20/11/2026', '40 %', '96 %', '1,200', 'level'],
      ['House', '21/11/2026', '–', '–', '300', 'level, share of a longer time'],
      ['House', '22/11/2026', '–', '–', '–', ''],
      ['=Dairy', '19/11/2026', '–', '–', '–', ''],
    ]);
    expect(csv.split('\r\n').slice(1, 6)).toEqual([
      'House,2026-11-19,40,95.5,100,level,no,no',
      'House,2026-11-20,40,95.5,1200,level,no,yes',
      'House,2026-11-21,,,300,level,yes,yes',
      'House,2026-11-22,,,,,,',
      "'=Dairy,2026-11-19,,,,,,",
    ]);
    expect(factOf(paper.parts, 'Used')).toBe('1,600 L, known of 3 of 8 days of tanks');
    expect(factOf(paper.parts, 'Not heard')).toBe('1 tank');
  });

  it.each([
    ['The farm has no tanks.', []],
    ['Nothing was heard of any tank from 19/11/2026 to 22/11/2026.', data.tanks.slice(1)],
  ])('without anything to tell it is a page that says so: %s', (text, tanks) => {
    const { parts } = tanksReport({ ...data, tanks }, made).paper;
    expect(parts.slice(1)).toEqual([{ kind: 'text', text }]);
  });

  it('leaves what is too much for paper to the file, and says so', () => {
    const many = Array.from({ length: TANK_ROWS_ON_PAPER }, () => day('2026-11-20'));
    const { paper, csv } = tanksReport(
      { ...data, tanks: [{ uid: 't', name: 'A', days: [...many, day('2026-11-21')] }] },
      made,
    );
    expect(rowsOf(paper.parts)[1]).toHaveLength(TANK_ROWS_ON_PAPER);
    expect(paper.parts.at(-1)).toMatchObject({
      text: '1 more row is left out here: the CSV has all of them.',
    });
    expect(csv.split('\r\n')).toHaveLength(TANK_ROWS_ON_PAPER + 3);
  });

  it.skipIf(!hasPoppler)('is tagged: words for each chart, a row for each of its tables', async () => {
    const { faults, struct, figures } = judge(await writePdf(tanksReport(data, made).paper, fonts()));
    expect(faults).toEqual([]);
    // Two tanks and eight days, and two heads.
    expect(countOf(struct, 'TR')).toBe(12);
    expect(figures).toEqual(['House: 1,600 L used, known of 3 of 4 days; the most 1,200 L on 20/11/2026.']);
  });
});
