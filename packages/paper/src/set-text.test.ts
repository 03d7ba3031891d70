import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createPdf, endPdf, type Pdf } from './pdf.ts';
import { deflated } from './pack-objects.ts';
import { paperOf } from './made.ts';
import { createPen } from './pen.ts';
import { made } from './testing/fixtures.ts';
import { fonts } from './testing/poppler.ts';

const paper = paperOf(made, { title: 'Trial', parts: [] });
/** The operators of a page on which this is drawn, after the one that turns it upside down. */
async function operatorsOf(draw: (doc: Pdf) => void): Promise<string[]> {
  const doc = createPdf(paper, fonts());
  doc.addPage({ margin: 0, size: [595.28, 841.89] });
  draw(doc);
  const { page } = doc;
  const file = Buffer.from(await endPdf(doc, deflated));
  const { id } = (page as unknown as { content: { id: number } }).content;
  const at = file.indexOf(`${id} 0 obj\n`);
  const start = file.indexOf('stream\n', at) + 'stream\n'.length;
  return String(inflateSync(file.subarray(start, file.indexOf('\nendstream', start))))
    .trim()
    .split('\n')
    .slice(1);
}

it('a text stands with its foot as far below its top as its font is high, turned back, in its own colour', async () => {
  const operators = await operatorsOf((doc) => createPen(doc).text('12', 42, 100, { size: 8 }));
  // Inter rises 0.96875 of its size: 100 + 7.75. #12232b: 18, 35 and 43 of 255.
  expect(operators).toEqual([
    '0.071 0.137 0.169 rg',
    'BT',
    expect.stringMatching(/^\/F\d 8 Tf$/),
    '1 0 0 -1 42 107.75 Tm',
    expect.stringMatching(/^\[<[0-9a-f]{8}>\] TJ$/),
    'ET',
  ]);
});

it('letters that stand closer do so, and the same text is the same glyphs again', async () => {
  const operators = await operatorsOf((doc) => {
    const pen = createPen(doc);
    pen.text('AV', 0, 0, { size: 10 });
    pen.text('AV', 50, 0, { size: 20, ink: 'dim' });
  });
  const shown = operators.filter((line) => line.endsWith('TJ'));
  expect(shown[0]).toMatch(/^\[<[0-9a-f]{4}>\d+(\.\d+)?<[0-9a-f]{4}>\] TJ$/);
  expect(shown[1]).toBe(shown[0]);
});

it('a sign that stands above a letter stands there, and the text goes on after it', async () => {
  const operators = await operatorsOf((doc) => createPen(doc).text('x\u0304 9', 0, 0, { size: 10 }));
  // The letter, its sign, and what follows: a place for each.
  expect(operators.filter((line) => line.endsWith('Tm')).length).toBeGreaterThan(2);
});
