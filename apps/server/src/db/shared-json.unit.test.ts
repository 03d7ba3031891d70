import { expect, it } from 'vitest';
import { jsonText, parseOnce } from './shared-json.ts';

it('parses the same text into one object, and another into another', () => {
  const parse = parseOnce((text) => JSON.parse(text) as { start: number });
  const first = parse('{"start": 60}');
  expect(first).toEqual({ start: 60 });
  expect(parse('{"start": 60}')).toBe(first);
  expect(parse('{"start": 61}')).toEqual({ start: 61 });
});

it('writes an object once, and equal objects alike', () => {
  let written = 0;
  const entry = { toJSON: () => (written += 1) };
  const entries = [entry];
  expect([jsonText(entries), jsonText(entries)]).toEqual(['[1]', '[1]']);
  expect(jsonText([{ start: 60 }])).toBe(jsonText([{ start: 60 }]));
});
