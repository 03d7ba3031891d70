import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { paperOf } from './made.ts';
import { ascii, deflated } from './pack-objects.ts';
import { made } from './testing/fixtures.ts';
import { fonts } from './testing/poppler.ts';
import { writePdf } from './write-pdf.ts';

it('a text is a byte of each sign, also of those beyond ASCII', () => {
  expect([...ascii('ab\n')]).toEqual([97, 98, 10]);
  expect([...ascii('a\u00FE\u00FF\u0001')]).toEqual([97, 0xfe, 0xff, 1]);
});

it('a file says how its dictionaries are packed by whoever packs them, and no dictionary is lost', async () => {
  const paper = paperOf(made, { title: 'Trial', parts: [{ kind: 'text', text: 'Water' }] });
  const packed: Uint8Array[] = [];
  const pdf = await writePdf(paper, fonts(), (bytes) => {
    packed.push(bytes);
    return deflated(bytes);
  });
  const texts = packed.map((bytes) => Buffer.from(bytes).toString('latin1'));
  // The dictionaries, then the table of where all lie.
  expect(texts).toHaveLength(2);
  for (const part of ['/S /Document', '/S /H1', '/S /P', '/Type /Catalog', '/Lang (en-NZ)'])
    expect(texts[0]).toContain(part);
  const file = Buffer.from(pdf).toString('latin1');
  const at = file.indexOf('/Type /ObjStm');
  const [, length = '0'] = /\/Length (\d+)/.exec(file.slice(at)) ?? [];
  const start = file.indexOf('stream\n', at) + 'stream\n'.length;
  expect(inflateSync(pdf.subarray(start, start + Number(length))).toString('latin1')).toBe(texts[0]);
});
