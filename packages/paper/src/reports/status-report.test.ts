import { describe, expect, it } from 'vitest';
import { conditions } from '@headrace/contract/rules/condition';
import { type Part, cellText } from '../paper.ts';
import { buildUnit, made, NOW } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { type StatusData, statusReport, statusRows } from './status-report.ts';

const DAY = 86_400_000;
const dataOf = (units: StatusData['units'], over: Partial<StatusData> = {}): StatusData => ({
  of: 'River',
  units,
  filter: 'All',
  sort: 'Name A-Z',
  boundary: [],
  knownAt: NOW - 60_000,
  ...over,
});
const only = (over: Parameters<typeof buildUnit>[1]) => statusRows([buildUnit(1, over)], made)[0];
const tableOf = (parts: readonly Part[]) => parts.find((part) => part.kind === 'table');
const factsOf = (parts: readonly Part[]) =>
  Object.fromEntries(
    parts.flatMap((part) =>
      part.kind === 'facts' ? part.facts.map(([label, value]) => [label, value]) : [],
    ),
  );

describe('a row of the status report', () => {
  it.each([
    [51, 'Battery Level'],
    [50, 'Battery Low (50%)'],
    [48, 'Battery Low (48%)'],
    [0, 'Battery Low (0%)'],
    [null, ''],
  ])('says of a charge of %s: %s', (charge, notes) => {
    expect(only({ charge })?.notes).toBe(notes);
  });

  it('says all that holds, in one order', () => {
    const row = only({
      outOfService: true,
      condition: conditions.outOfService,
      isOutOfContact: true,
      hasClockError: true,
      hasScheduleError: true,
      charge: 48,
    });
    expect(row?.notes).toBe(
      'Out of Service · Out of contact for more than 30 days. · The clock of this unit is wrong. · The schedule of this unit is wrong. · Battery Low (48%)',
    );
  });

  it('says of who was never heard no more than that', () => {
    expect(only({ isOutOfContact: true, statustime: 0, charge: null })?.notes).toBe('Never heard.');
  });

  it("has the status's time on the farm's clock, and a dash where nothing was heard or the time is none", () => {
    expect(only({})?.statusTime).toBe('22/11/2026 05:41');
    expect(only({ statustime: 0 })?.statusTime).toBe('–');
    expect(only({ statustime: Number.NaN })?.statusTime).toBe('–');
  });

  it('tells an open valve that should be closed before all else, and what was not said as not said', () => {
    const belief = {
      state: 'openOverdue',
      since: null,
      until: NOW - DAY,
      basis: 'report',
      cause: 'schedule',
    } as never;
    const late = only({ condition: conditions.outOfContact, isOutOfContact: true, belief });
    expect(late?.status).toEqual({ mark: 'issue', text: 'Should be closed' });
    expect(late?.notes).toContain('Its valve should be closed by now.');
    const planned = only({ belief: { ...(belief as object), state: 'mayBeOpen' } as never });
    expect(planned?.status.text).toBe('Should be watering');
    expect(planned?.notes).toBe('Battery Level · It should be watering, which it has not said.');
    expect(only({ stopWanted: NOW })?.notes).toContain('To be inhibited, which it has not said.');
  });
});

describe('the status report', () => {
  const units = [
    buildUnit(1),
    buildUnit(2, { condition: conditions.error, hasBatteryError: true, charge: 48 }),
    buildUnit(3, {
      condition: conditions.outOfContact,
      isOutOfContact: true,
      statustime: 0,
      charge: null,
      lat: null,
      lng: null,
    }),
  ];

  it('says what it is of, how new it is, and who was never heard', () => {
    expect(factsOf(statusReport(dataOf(units), made).paper.parts)).toEqual({
      Sprinklers: '3 of River',
      'Known as of': '22/11/2026 06:29 NZDT',
      Filter: 'All',
      'Sorted by': 'Name A-Z',
      'Newest status': '22/11/2026 05:41 NZDT',
      'Oldest status': '22/11/2026 05:41 NZDT',
      'Never heard': '1 sprinkler',
      Status: '1 OK, 1 Attention, 1 Out of contact',
    });
  });

  it("has a sprinkler's notes apart from each other, on paper as in the file", () => {
    const { paper, csv } = statusReport(dataOf([buildUnit(1, { outOfService: true })]), made);
    expect(tableOf(paper.parts)?.rows[0]?.map(cellText).at(-1)).toBe('Out of Service · Battery Level');
    expect(csv).toContain(',Out of Service · Battery Level\r\n');
  });

  it('has the same rows on paper and in the file, and no formula in it', () => {
    const evil = [...units, buildUnit(4, { name: '=cmd()', serial: '+64, "x"' })];
    const { paper, csv } = statusReport(dataOf(evil), made);
    expect(tableOf(paper.parts)?.rows.map((row) => row.map(cellText))).toEqual([
      ['OK', 'A1', '100401', '22/11/2026 05:41', 'Battery Level'],
      ['Attention', 'A2', '100402', '22/11/2026 05:41', 'Battery Low (48%)'],
      ['Out of contact', 'A3', '100403', '–', 'Never heard.'],
      ['OK', '=cmd()', '+64, "x"', '22/11/2026 05:41', 'Battery Level'],
    ]);
    expect(csv).toBe(
      [
        '\uFEFFstatus,name,serialNumber,statusTime,notes',
        'OK,A1,100401,22/11/2026 05:41,Battery Level',
        'Attention,A2,100402,22/11/2026 05:41,Battery Low (48%)',
        'Out of contact,A3,100403,–,Never heard.',
        `OK,'=cmd(),"'+64, ""x""",22/11/2026 05:41,Battery Level`,
        '',
      ].join('\r\n'),
    );
  });

  it('says of sprinklers without a place that they are not on the map, and of none at all a sentence', () => {
    const texts = (parts: readonly Part[]) =>
      parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
    const { parts } = statusReport(dataOf(units), made).paper;
    expect(texts(parts)).toEqual(['1 sprinkler has no location and is not on the map.']);
    const figure = parts.find((part) => part.kind === 'figure');
    expect(figure?.words).toBe('Map of River with 2 sprinklers: 1 OK, 1 Attention.');
    const empty = statusReport(dataOf([], { filter: 'Inhibited' }), made).paper.parts;
    expect(texts(empty)).toEqual(['The filter Inhibited lists no sprinklers.']);
    expect(tableOf(empty)).toBeUndefined();
  });

  it.skipIf(!hasPoppler)('has each status whole on paper', async () => {
    const { text } = judge(await writePdf(statusReport(dataOf(units), made).paper, fonts()));
    expect(text).toMatch(/^ *Out of contact +A3 +100403 +– +Never heard\.$/m);
  });

  it.skipIf(!hasPoppler)('is a PDF with a row in its tree for each row of the file', async () => {
    const many = Array.from({ length: 60 }, (_none, n) => buildUnit(n, { name: `Tōtara ${n}` }));
    const { paper, csv } = statusReport(dataOf(many), made);
    const { faults, struct, text } = judge(await writePdf(paper, fonts()));
    expect(faults).toEqual([]);
    const lines = csv.trimEnd().split('\r\n').length;
    expect(lines).toBe(61);
    expect(countOf(struct, 'TR')).toBe(lines);
    expect(text).toContain('Tōtara 59');
  });
});
