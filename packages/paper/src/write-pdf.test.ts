import { describe, expect, it } from 'vitest';
import { paperOf } from './made.ts';
import type { Part } from './paper.ts';
import { made } from './testing/fixtures.ts';
import { countOf, fonts, hasPoppler, judge, readAloud } from './testing/poppler.ts';
import { writePdf } from './write-pdf.ts';

const table = (count: number): Part => ({
  kind: 'table',
  summary: 'Sprinklers',
  columns: [
    { title: 'NAME', isRowHead: true },
    { title: 'NOTES', isLong: true },
    { title: 'MM', isNumber: true },
  ],
  rows: Array.from({ length: count }, (_none, n) => [`A${n + 1}`, 'Battery Level', '4.8']),
});
const figure: Part = {
  kind: 'figure',
  words: 'Battery health fell from 94 % to 81 %',
  drawing: {
    width: 511,
    height: 40,
    shapes: [
      { kind: 'path', d: 'M 0 0 H 100 V 30 H 0 Z', fill: 'pale', stroke: 'dim', dash: [2, 2] },
      { kind: 'mark', mark: 'inhibited', x: 20, y: 10, size: 8 },
      { kind: 'text', text: 'in the picture', x: 60, y: 10, at: 'middle' },
    ],
  },
};
const parts: Part[] = [
  {
    kind: 'facts',
    facts: [
      ['Sprinklers', '3 of Rākaia Downs'],
      ['Filter', 'All'],
    ],
  },
  { kind: 'heading', text: 'Ngā whārangi' },
  { kind: 'list', items: ['first', 'second'] },
  { kind: 'text', text: `Long ${'words and '.repeat(40)}end.` },
  figure,
  table(100),
];
const write = (some: Part[]) => writePdf(paperOf(made, { title: 'Trial', parts: some }), fonts());

describe.skipIf(!hasPoppler)('a PDF, as programs of others read it', () => {
  it('is tagged, says its title, and has nothing wrong', async () => {
    const { faults, info, fonts: used } = judge(await write(parts));
    expect(faults).toEqual([]);
    expect(info).toMatch(/^Title: +Trial – Rākaia Downs$/m);
    expect(info).toMatch(/^CreationDate: +Sat Nov 21 17:30:00 2026 UTC$/m);
    // Name, type, encoding, and whether it is in the file.
    expect(
      used.map((line) => line.replace(/^.{6}\+(\S+) .* (yes|no) +(yes|no) +(yes|no) .*$/, '$1 $2')),
    ).toEqual(['Inter-SemiBold yes', 'Inter-Regular yes']);
  });

  it('has a tree with its headings, lists, figures with words, and a row for each row and the heads', async () => {
    const { struct, figures } = judge(await write(parts));
    const counts = ['H1', 'H2', 'L', 'LI', 'Table', 'Figure', 'TR', 'TH', 'TD'].map((type) => [
      type,
      countOf(struct, type),
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      H1: 1,
      H2: 1,
      L: 1,
      LI: 2,
      Table: 1,
      Figure: 1,
      TR: 101,
      TH: 103,
      TD: 200,
    });
    expect(struct.match(/Scope \/Column/g)).toHaveLength(3);
    expect(struct.match(/Scope \/Row/g)).toHaveLength(100);
    expect(figures).toEqual(['Battery health fell from 94 % to 81 %']);
  });

  it('has its heads and its frame on each page, and text that can be copied', async () => {
    const { text } = judge(await write(parts));
    const pages = text.split('\f').slice(0, -1);
    expect(pages).toHaveLength(3);
    for (const [n, page] of pages.entries()) {
      expect(page).toContain('Rākaia Downs');
      expect(page).toContain('Trial · 22/11/2026 06:30 NZDT');
      expect(page).toContain('Made 22/11/2026 06:30 NZDT by Mere Ellison · Headrace');
      expect(page).toContain(`page ${n + 1} of 3`);
      expect(page).toMatch(/NAME +NOTES +MM/);
    }
    expect(text).toContain('Ngā whārangi');
    expect(text).toContain('in the picture');
  });

  it('keeps words apart where a line is broken', async () => {
    const spoken = readAloud(await write(parts.slice(0, -1)));
    expect(spoken).toContain('words and');
    expect(spoken).not.toMatch(/andwords|wordsand/);
  });

  it('is small: 600 rows of a table with an element of the tree for each cell take less than 100 kB', async () => {
    const pdf = await write([table(600)]);
    const { faults, struct } = judge(pdf);
    expect(faults).toEqual([]);
    expect([countOf(struct, 'TR'), countOf(struct, 'TD')]).toEqual([601, 1200]);
    expect(pdf.length).toBeLessThan(100_000);
  });

  it('draws what the font lacks as a box, and nothing that turns text round', async () => {
    const { text } = judge(await write([{ kind: 'text', text: 'Pump 📷 \u202Egnp.exe Ma\u0304ori\u0000' }]));
    expect(text).toContain('Pump □ gnp.exe Māori');
  });
});

it('the same report gives the same bytes', async () => {
  const [one, other] = await Promise.all([write(parts), write(parts)]);
  expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true);
});
