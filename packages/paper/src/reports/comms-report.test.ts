import { describe, expect, it } from 'vitest';
import type { SprinklerComms } from '@headrace/contract/health';
import { cellText } from '../paper.ts';
import { made, NOW } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { commsReport } from './comms-report.ts';

const DAY = 86_400_000;
const unit = (n: number, days: number | null) => ({
  id: String(n),
  name: `A${n}`,
  serialNumber: String(100_400 + n),
  statusTime: days === null ? null : new Date(NOW - days * DAY).toISOString(),
});
const comms: SprinklerComms = {
  outOfContact: 2,
  occasional: 1,
  regular: 47,
  total: 50,
  silent: 3,
  cause: {
    kind: 'gateway',
    id: 'g',
    name: 'Dairy shed',
    heardAt: new Date(NOW - 8 * DAY).toISOString(),
    units: 3,
  },
  units: { outOfContact: [unit(1, null), unit(2, 35)], occasional: [unit(3, 8)], outOfService: [] },
};
const report = (over: Partial<SprinklerComms> = {}) =>
  commsReport({ comms: { ...comms, ...over }, knownAt: NOW }, made);

describe('the comms report', () => {
  it('has the same sprinklers on paper and in the file, who was never heard with a dash', () => {
    const { paper, csv } = report();
    const rows = paper.parts.flatMap((part) => (part.kind === 'table' ? part.rows : []));
    expect(rows.map((row) => row.map(cellText))).toEqual([
      ['A1', '100401', '–'],
      ['A2', '100402', '18/10/2026 06:30'],
      ['A3', '100403', '14/11/2026 06:30'],
    ]);
    expect(csv).toBe(
      '\uFEFFcontact,name,serialNumber,statusTime\r\nOut of contact,A1,100401,–\r\nOut of contact,A2,100402,18/10/2026 06:30\r\nOccasional,A3,100403,14/11/2026 06:30\r\n',
    );
  });

  it('tells how many are heard how regularly, and what the silent ones have in common', () => {
    const { parts } = report().paper;
    const facts = parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []));
    expect(facts.filter(([label]) => label !== 'Known as of')).toEqual([
      ['Total', '50 in service'],
      ['Regular', '47, heard within 7 days'],
      ['Occasional', '1, within 30 days'],
      ['Out of contact', '2, more than 30 days or never'],
      ['Silent for a day', '3 sprinklers'],
      ['In common', '3 of them: gateway Dairy shed, last heard 14/11/2026 06:30 NZDT'],
    ]);
    expect(parts.find((part) => part.kind === 'figure')?.words).toBe(
      'Of 50 sprinklers 94 % are heard regularly, 2 % occasionally, and 4 % are out of contact.',
    );
  });

  it('never rounds up to all, nor down to none', () => {
    const alternateText = (over: Partial<SprinklerComms>) =>
      report({ occasional: 0, ...over }).paper.parts.find((part) => part.kind === 'figure')?.words;
    expect(alternateText({ regular: 999, outOfContact: 1, total: 1000 })).toBe(
      'Of 1,000 sprinklers 99.9 % are heard regularly, 0 % occasionally, and 0.1 % are out of contact.',
    );
    expect(alternateText({ regular: 4999, outOfContact: 1, total: 5000 })).toContain(
      '99.9 % are heard regularly, 0 % occasionally, and less than 0.1 % are out of contact',
    );
  });

  it.skipIf(!hasPoppler)('is a PDF, and of a farm without sprinklers a sentence', async () => {
    const { faults, struct } = judge(await writePdf(report().paper, fonts()));
    expect(faults).toEqual([]);
    expect(countOf(struct, 'TR')).toBe(3 + 2);
    const none = { outOfContact: 0, occasional: 0, regular: 0, total: 0, silent: 0, cause: null };
    const empty = report({ ...none, units: { outOfContact: [], occasional: [], outOfService: [] } });
    expect(judge(await writePdf(empty.paper, fonts())).text).toContain(
      'The farm has no sprinklers in service.',
    );
  });
});
