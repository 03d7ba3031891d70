import { describe, expect, it } from 'vitest';
import type { DiaryLog, DiarySums, WateringProof } from '@headrace/contract/irr-diary';
import { cellText } from '../paper.ts';
import { made, NOW } from '../testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge } from '../testing/poppler.ts';
import { writePdf } from '../write-pdf.ts';
import { proofReport } from './proof-report.ts';

const counts: DiarySums['counts'] = {
  watered: 38,
  short: 0,
  long: 0,
  late: 0,
  missed: 1,
  'not known': 1,
  'by hand': 0,
  unplanned: 0,
};
const sums: DiarySums = {
  planned: 40,
  kept: 2,
  watered: 38,
  counts,
  meanMm: 4.6,
  evenness: 0.67,
  measured: 38,
  litres: { least: 255_360, believed: 255_360, most: 268_800 },
};
// 05:12 to 05:40 on 22 November in New Zealand.
const [start, stop] = ['2026-11-21T16:12:00.000Z', '2026-11-21T16:40:00.000Z'];
const missed: DiaryLog = {
  day: '2026-11-22',
  unitUID: '1',
  sprinkler: 'A7',
  serialNumber: '100407',
  group: 'North',
  scheduleGroup: 'North/1',
  start,
  stop,
  minutes: 0,
  mm: 0,
  volume: 0,
  bounds: null,
  basis: 'said',
  isPartSprinkler: false,
  planned: { start, stop, minutes: 28, isHeld: true },
  outcome: 'missed',
  isKept: false,
  reasons: [],
};
const proof: WateringProof = {
  round: { from: start, to: stop, startAt: start, endAt: stop },
  ...sums,
  lines: [{ ...sums, name: 'North/1' }],
  missed: 1,
  troubles: [missed],
};
const report = (over: Partial<WateringProof> = {}) =>
  proofReport({ proof: { ...proof, ...over }, knownAt: NOW }, made);
const tables = ({ paper }: ReturnType<typeof report>) =>
  paper.parts.flatMap((part) => (part.kind === 'table' ? [part.rows.map((row) => row.map(cellText))] : []));
const texts = ({ paper }: ReturnType<typeof report>) =>
  paper.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));

describe('the proof of watering', () => {
  it('has each line with what was planned and what it came to, the same in the file', () => {
    const made = report();
    expect(tables(made)[0]).toEqual([['North/1', '40', '38', '1', '0', '1', '2', '4.6', '255.36']]);
    expect(made.csv.split('\r\n')[1]).toBe('North/1,40,38,1,0,1,2,4.6,255360,255360,268800');
    expect(made.paper.period).toBe('22/11/2026 05:12 – 22/11/2026 05:40');
  });

  it('names who did not water as planned, and says of how many more it does not', () => {
    const made = report();
    expect(tables(made)[1]?.[0]?.slice(0, 5)).toEqual([
      'Missed',
      'A7',
      'North',
      '22/11/2026',
      '05:12 – 05:40',
    ]);
    // Missed and not known are two; one of them is named.
    expect(texts(made)).toContain(
      '1 more watering went otherwise than planned: the CSV of each sprinkler has all of them.',
    );
  });

  it('says on what its figures rest, and what they may come to', () => {
    expect(texts(report())[0]).toContain('reckoned from those minutes at the rates that are set');
    const facts = report().paper.parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []));
    expect(facts).toContainEqual(['Water', '255 m³, possibly 255 to 269']);
    expect(facts).toContainEqual(['Not known', '1']);
  });

  it('of a week without a watering says that', () => {
    expect(texts(report({ round: null, lines: [], troubles: [] }))).toEqual([
      'Nothing was to water in the last week, as far as is known.',
    ]);
  });

  it.skipIf(!hasPoppler)('is a tagged PDF', async () => {
    const { struct } = judge(await writePdf(report().paper, fonts()));
    // A head and a row of each of two tables.
    expect(countOf(struct, 'TR')).toBe(4);
  });
});
