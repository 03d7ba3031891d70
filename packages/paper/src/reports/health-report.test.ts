import { describe, expect, it } from 'vitest';
import type { HealthHistory, SprinklerHealth } from '@headrace/contract/health';
import { cellText, type Part } from '../paper.ts';
import { made, NOW } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { errorRows, healthReport } from './health-report.ts';

const unit = (n: number) => ({ id: String(n), name: `A${n}`, serialNumber: String(100_400 + n) });
/** Days from 20/11 on, with the numbers of the sprinklers that had the error. */
const history = (...days: number[][]): HealthHistory => ({
  farmUID: 'f',
  description: 'Low battery',
  start: '2026-11-20',
  stop: '2026-11-22',
  type: 3,
  data: days.map((units, n) => ({
    date: `2026-11-${20 + n}`,
    value: units.length,
    inContact: 48,
    units: units.map(unit),
  })),
});
const unheard = (one: HealthHistory): HealthHistory => ({
  ...one,
  data: one.data.map((day) => ({ ...day, inContact: 0 })),
});
const health: SprinklerHealth = {
  minClock: 93.7,
  maxClock: 100,
  curClock: 100,
  minBattery: 81.2,
  maxBattery: 93.7,
  curBattery: 87.5,
  minSchedule: null,
  maxSchedule: null,
  curSchedule: 95.8,
  inContact: 48,
  total: 50,
  days: 2,
  since: '2026-11-20',
};
const report = (over: Partial<SprinklerHealth> = {}, battery = history([1, 2], [1, 2, 3])) =>
  healthReport(
    {
      health: { ...health, ...over },
      histories: { clock: history([], []), battery, schedule: history() },
      knownAt: NOW,
    },
    made,
  );
const textsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));

describe('the health report', () => {
  it('has the shares of now and of the days that are known, and a dash for what is not', () => {
    const { paper, csv } = report();
    const table = paper.parts.find((part) => part.kind === 'table');
    expect(table?.rows.map((row) => row.map(cellText))).toEqual([
      ['Clock', '93.7 %', '100 %', '100 %'],
      ['Battery', '81.2 %', '87.5 %', '93.7 %'],
      ['Schedule', '–', '95.8 %', '–'],
    ]);
    expect(csv.split('\r\n').slice(0, 4)).toEqual([
      '\uFEFFcategory,minimum,current,maximum,name,serialNumber,since',
      'Clock,93.7,100,100,,,',
      'Battery,81.2,87.5,93.7,,,',
      'Schedule,,95.8,,,,',
    ]);
    const facts = paper.parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []));
    expect(facts).toContainEqual(['Minimum, maximum', 'since 20/11/2026 (2 days of 30)']);
    expect(facts).toContainEqual(['Out of contact', '2, of which nothing is known']);
  });

  it('names who has an error, since when as far as it is known, and says where nobody has or nothing is counted', () => {
    expect(errorRows(history([1], [1, 2], [1, 2]))).toEqual([
      { name: 'A1', serialNumber: '100401', since: '20/11/2026 or before' },
      { name: 'A2', serialNumber: '100402', since: '21/11/2026' },
    ]);
    // It was free of it for a day.
    expect(errorRows(history([1], [], [1]))[0]?.since).toBe('22/11/2026');
    expect(textsOf(report().paper.parts)).toEqual([
      'None of the 48 in contact had a clock error at the end of 21/11/2026.',
      '3 sprinklers had a low battery at the end of 21/11/2026.',
      'No day has ended since this is counted.',
    ]);
  });

  it('says of a farm that nobody was heard of that its errors are not known', () => {
    const lost = unheard(history([], []));
    const { paper } = healthReport(
      {
        health: { ...health, inContact: 0, curClock: null, curBattery: null, curSchedule: null },
        histories: { clock: lost, battery: lost, schedule: lost },
        knownAt: NOW,
      },
      made,
    );
    expect(textsOf(paper.parts)).toEqual([
      'No sprinkler is in contact: how they are is not known.',
      'Nobody was in contact at the end of 21/11/2026: who had a clock error is not known.',
      'Nobody was in contact at the end of 21/11/2026: who had a low battery is not known.',
      'Nobody was in contact at the end of 21/11/2026: who had a schedule issue is not known.',
    ]);
  });

  it('makes no minimum up before a day has ended, and judges nobody where nobody is heard', () => {
    const { parts } = report({ days: 0, since: null, inContact: 0 }).paper;
    expect(parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []))).toContainEqual([
      'Minimum, maximum',
      'Not known yet: no day has ended',
    ]);
    expect(textsOf(parts)[0]).toBe('No sprinkler is in contact: how they are is not known.');
    expect(parts.some(({ kind }) => kind === 'figure')).toBe(false);
  });

  it.skipIf(!hasPoppler)('is a PDF whose chart says its finding', async () => {
    const { faults, struct, figures, text } = judge(await writePdf(report().paper, fonts()));
    expect(faults).toEqual([]);
    expect(figures).toEqual([
      'Sprinklers free of errors. Clock 100 % now, 93.7 % to 100 %. Battery 87.5 % now, 81.2 % to 93.7 %. Schedule 95.8 % now, minimum and maximum not known.',
    ]);
    // 3 shares, 3 sprinklers with a low battery, and a head for each table.
    expect(countOf(struct, 'TR')).toBe(8);
    expect(text).toContain('Sprinklers with a low battery');
  });
});
