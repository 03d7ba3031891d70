import { describe, expect, it } from 'vitest';
import type { HealthHistory } from '@headrace/contract/health';
import { historyType, historyTypes } from '@headrace/contract/rules/health-figures';
import { healthTrend } from '@headrace/contract/rules/health-trend';
import { cellText, type Part } from '../paper.ts';
import { made } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { trendReport } from './trend-report.ts';

/** The last two weeks were counted: 50 sprinklers in regular contact, then 56, and 2, then 9 with a low battery. */
const day = (date: string, value: number) => ({ date, value, inContact: 50, units: [] });
const valuesOf: Record<number, [before: number, last: number]> = {
  [historyType.regular]: [50, 56],
  [historyType.battery]: [2, 9],
  [historyType.swaps]: [0, 1],
};
const histories = historyTypes.map((_name, type): Pick<HealthHistory, 'data'> => {
  const [before, last] = valuesOf[type] ?? [0, 0];
  return { data: [day('2026-11-10', before), day('2026-11-20', last), day('2026-11-21', last)] };
});
const report = (of: readonly Pick<HealthHistory, 'data'>[] = histories) =>
  trendReport(healthTrend(of, '2026-11-21'), made);
const rowsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'table' ? part.rows.map((row) => row.map(cellText)) : []));
const figuresOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'figures' ? part.figures : []));

describe('the history trend', () => {
  it('has the same weeks on paper and in the file; of those that were not counted nothing', () => {
    const { paper, csv } = report();
    const rows = rowsOf(paper.parts);
    expect(rows).toHaveLength(52);
    expect(rows.slice(0, 3)).toEqual([
      ['15/11/2026', '2', '56', '0', '0', '0', '9', '0', '0', '0', '2', '56'],
      ['08/11/2026', '1', '50', '0', '0', '0', '2', '0', '0', '0', '0', '50'],
      ['01/11/2026', '0', ...Array.from({ length: 10 }, () => '–')],
    ]);
    const lines = csv.split('\r\n').slice(1, -1);
    expect(lines).toHaveLength(52);
    // Each kind with its lowest and highest; swaps are added up.
    expect(lines.at(-1)).toBe(
      '2026-11-15,2026-11-21,2,56,yes,0,0,0,0,0,0,0,0,0,9,9,9,0,0,0,0,0,0,0,0,0,2,1,1,56,56,56',
    );
    expect(lines.at(-3)).toBe(`2026-11-01,2026-11-07,0,,no${','.repeat(27)}`);
  });

  it('has tenths in a whole column, or in none', () => {
    // A week of 50 and of 51 sprinklers in regular contact: 50.5 in the mean; and one of 50.
    const regular = [day('2026-11-10', 50), day('2026-11-20', 50), day('2026-11-21', 51)];
    const of = histories.map((one, type) => (type === historyType.regular ? { data: regular } : one));
    const [last, before] = rowsOf(report(of).paper.parts);
    expect([last?.at(-1), before?.at(-1)]).toEqual(['50.5', '50.0']);
    expect([last?.[6], before?.[6]]).toEqual(['9', '2']);
  });

  it('has nine charts that say what they show, and marks the week in which 50 sprinklers became 56', () => {
    const figures = figuresOf(report().paper.parts);
    expect(figures).toHaveLength(9);
    expect(figures[historyType.battery]?.words).toBe(
      'Low battery: 9 in the week to 21/11/2026, 2 in the week to 14/11/2026; at most 9. Known of 2 weeks of 52.',
    );
    const dashed = figures.map(
      ({ drawing }) => drawing.shapes.filter((shape) => shape.kind === 'path' && shape.dash).length,
    );
    expect(dashed).toEqual(Array.from({ length: 9 }, () => 1));
  });

  it('draws no line over a gap', () => {
    const apart = histories.map(({ data }) => ({ data: [day('2026-10-10', 3), ...data] }));
    const [figure] = figuresOf(report(apart).paper.parts);
    const lines = figure?.drawing.shapes.filter((shape) => shape.kind === 'path' && shape.stroke === 'deep');
    expect(lines).toHaveLength(2);
  });

  it('of a farm that was never counted is a page that says so', () => {
    const { parts } = report(historyTypes.map(() => ({ data: [] }))).paper;
    expect(parts.slice(1)).toEqual([
      {
        kind: 'text',
        text: 'No day of this farm was counted from 23/11/2025 to 21/11/2026: how its sprinklers were is not known.',
      },
    ]);
  });

  it.skipIf(!hasPoppler)(
    'is tagged: words for each of nine figures, a row for each week, no picture',
    async () => {
      const { faults, struct, figures } = judge(await writePdf(report().paper, fonts()));
      expect(faults).toEqual([]);
      expect([countOf(struct, 'TR'), countOf(struct, 'Figure')]).toEqual([53, 9]);
      expect(figures.filter((words) => words !== null && /^[A-Z]\w+/.test(words))).toHaveLength(9);
    },
  );
});
