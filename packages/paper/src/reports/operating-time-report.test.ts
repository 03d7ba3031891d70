import { describe, expect, it } from 'vitest';
import type { OperatedUnit, OperatingTimes } from '@headrace/contract/reports';
import { cellText, type Part } from '../paper.ts';
import { made } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { operatingTimeReport, UNITS_ON_PAPER } from './operating-time-report.ts';

/** 13 full runs of 28 min, one of 12 and one missed. */
const unit: OperatedUnit = {
  unitUID: 'u1',
  sprinkler: 'A12',
  serialNumber: '100412',
  scheduleGroup: 'River',
  planned: 420,
  unknown: 0,
  actual: 376,
  share: 89.5,
  kept: 0,
  other: 0,
  waterings: { planned: 15, unknown: 0, missed: 1, kept: 0, startNotHeard: 0, endNotHeard: 0 },
  lastWatered: '2026-11-19T16:24:00.000Z',
  isRunning: false,
};
const noWaterings = { planned: 0, unknown: 0, missed: 0, kept: 0, startNotHeard: 0, endNotHeard: 0 };
const running: OperatedUnit = {
  ...unit,
  sprinkler: '\u202Ea =cmd()',
  serialNumber: '+100413',
  planned: 402.5,
  unknown: 56,
  actual: 346.5,
  share: 100,
  kept: 28,
  other: null,
  waterings: { planned: 15, unknown: 2, missed: 0, kept: 1, startNotHeard: 2, endNotHeard: 1 },
  isRunning: true,
};
const silent: OperatedUnit = {
  ...unit,
  sprinkler: 'A14',
  unknown: 420,
  actual: null,
  share: null,
  lastWatered: null,
  waterings: { ...noWaterings, planned: 15, unknown: 15 },
};
const idle: OperatedUnit = {
  ...silent,
  sprinkler: 'A15',
  planned: 0,
  unknown: 0,
  actual: 0,
  waterings: noWaterings,
};
const times = (units: OperatedUnit[], over: Partial<OperatingTimes> = {}): OperatingTimes => ({
  setUID: 's',
  name: 'Summer',
  isDeleted: false,
  start: '2026-10-24',
  stop: '2026-11-22',
  units,
  gone: 0,
  ...over,
});
const report = (...of: Parameters<typeof times>) => operatingTimeReport(times(...of), made);
const rowsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'table' ? part.rows.map((row) => row.map(cellText)) : []));
const textsOf = (parts: readonly Part[]) =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
const factOf = (parts: readonly Part[], label: string) =>
  parts.flatMap((part) => (part.kind === 'facts' ? part.facts : [])).find(([name]) => name === label)?.[1];

describe('the report of operating times', () => {
  it('has the minutes of each sprinkler on paper and in the file', () => {
    const { paper, csv } = report([unit, running, silent, idle]);
    expect(rowsOf(paper.parts)).toEqual([
      ['A12', 'River', '420', '376', '89.5 %', '', '', '20/11 05:24', '1 missed'],
      [
        '\u202Ea =cmd()',
        'River',
        '402.5',
        '346.5',
        '100 %',
        '56',
        '?',
        '20/11 05:24',
        'running, nothing heard of 2, 2 starts not heard, 1 end not heard, kept from 1',
      ],
      ['A14', 'River', '420', '–', '–', '420', '', '–', 'nothing heard of 15'],
      ['A15', 'River', '0', '0', '–', '', '', '–', 'not planned by it'],
    ]);
    expect(csv.split('\r\n').slice(1)).toEqual([
      'A12,100412,River,420,376,89.5,0,0,0,15,0,1,0,0,0,2026-11-19T16:24:00.000Z,no',
      "\u202Ea =cmd(),'+100413,River,402.5,346.5,100,56,28,,15,2,0,1,2,1,2026-11-19T16:24:00.000Z,yes",
      'A14,100412,River,420,,,420,0,0,15,15,0,0,0,0,,no',
      'A15,100412,River,0,0,,0,0,0,0,0,0,0,0,0,,no',
      '',
    ]);
  });

  it('says how much of it is known: 376 + 346.5 of 1242.5 − 476 min', () => {
    const { parts } = report([unit, running, silent, idle], { gone: 2 }).paper;
    const fact = (label: string) => factOf(parts, label);
    expect(fact('Sprinklers')).toBe('4, and 2 that had left the farm');
    expect(fact('Planned')).toBe('1,242.5 min in 45 waterings');
    expect(fact('Watered')).toBe('722.5 min of 766.5 min known');
    expect(fact('Share')).toBe('94.3 % of what is known');
    expect(fact('Not known')).toBe('476 min');
    expect(fact('Running')).toBe('1 sprinkler, counted until now');
    expect(parts.find((part) => part.kind === 'figure')?.words).toBe(
      'Sprinklers by the share of their planned minutes that they watered: 1 50 to 89 %, 1 90 to 110 %, 1 not known.',
    );
  });

  it('of a farm that was not heard is a page that says so, with what was planned', () => {
    const { parts } = report([silent]).paper;
    expect(textsOf(parts)[0]).toBe(
      'Of none of these waterings anything was heard from 24/10/2026 to 22/11/2026: how long they were is not known.',
    );
    expect(factOf(parts, 'Watered')).toBe('Not known');
    expect(parts.some(({ kind }) => kind === 'figure')).toBe(false);
  });

  it.each<[string, OperatedUnit[], Partial<OperatingTimes>]>([
    [
      'There are no runs from 24/10/2026 to 22/11/2026: no sprinkler was to water by Summer, and none was heard to water.',
      [idle],
      {},
    ],
    ['No sprinkler of Summer was on the farm from 24/10/2026 to 22/11/2026.', [], { gone: 3 }],
    ['Summer was deleted, and which sprinklers it had is not kept any more.', [], { isDeleted: true }],
  ])('without anything to tell it is a page with that sentence: %s', (text, units, over) => {
    const { paper, csv } = report(units, over);
    expect(textsOf(paper.parts)).toEqual([text]);
    expect(rowsOf(paper.parts)).toEqual([]);
    expect(csv.split('\r\n')).toHaveLength(units.length + 2);
  });

  it('has those on paper that watered least where there are too many, and all in the file', () => {
    const many = Array.from({ length: UNITS_ON_PAPER }, (_none, n) => ({
      ...unit,
      sprinkler: `B${n}`,
      share: 100,
    }));
    const { paper, csv } = report([
      { ...unit, share: 120 },
      ...many,
      { ...silent },
      { ...unit, sprinkler: 'Z9', share: 3 },
    ]);
    const names = rowsOf(paper.parts).map(([name]) => name);
    expect([names.length, names[0], names.at(-1)]).toEqual([UNITS_ON_PAPER, 'B0', 'Z9']);
    expect(textsOf(paper.parts)).toContain(
      'Of 2,003 sprinklers the 2,000 that watered the smallest share are here: the CSV has all of them.',
    );
    expect(csv.split('\r\n')).toHaveLength(UNITS_ON_PAPER + 5);
  });

  it.skipIf(!hasPoppler)(
    'is tagged: a row for each of the table, its words, no picture, all fonts in it',
    async () => {
      const { paper } = report([unit, running, silent, idle]);
      const { faults, struct, figures, text } = judge(await writePdf(paper, fonts()));
      expect(faults).toEqual([]);
      expect([countOf(struct, 'TR'), countOf(struct, 'TD'), figures.length]).toEqual([5, 32, 1]);
      expect(text).toMatch(/A12 +River +420 +376 +89\.5 % +20\/11 05:24 +1 missed/);
      expect(text).toContain('a =cmd()');
    },
  );
});
