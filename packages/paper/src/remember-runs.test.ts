import { expect, it } from 'vitest';
import { rememberRuns, type Run } from './remember-runs.ts';

const position = { xAdvance: 5, advanceWidth: 5, xOffset: 0, yOffset: 0 };
/** A font that counts what it was asked to set; a letter is 5 wide. */
function countingFont() {
  const asked: string[] = [];
  const layout = (text: string): Run => {
    asked.push(text);
    const glyphs = Array.from(text, (sign) => ({
      id: sign.charCodeAt(0),
      advanceWidth: 5,
      codePoints: [sign.charCodeAt(0)],
    }));
    return { glyphs, positions: glyphs.map(() => position), advanceWidth: 5 * glyphs.length };
  };
  return { asked, setting: { layout: (text: string, _features?: unknown) => layout(text) } };
}

it('what one document set of a font the next has, and another font has not', () => {
  const [bytes, others] = [new Uint8Array(1), new Uint8Array(1)];
  const [first, second, third] = [countingFont(), countingFont(), countingFont()];
  rememberRuns(first.setting, bytes);
  rememberRuns(second.setting, bytes);
  rememberRuns(third.setting, others);
  const run = first.setting.layout('River');
  expect(second.setting.layout('River')).toBe(run);
  expect(third.setting.layout('River').advanceWidth).toBe(25);
  expect([first.asked, second.asked, third.asked]).toEqual([['River'], [], ['River']]);
});

it('of figures each sign is set once, and a text of them is as wide as its signs', () => {
  const { asked, setting } = countingFont();
  rememberRuns(setting, new Uint8Array(1));
  const features = { tnum: true };
  expect(setting.layout('11:21', features).advanceWidth).toBe(25);
  expect(setting.layout('12', features).glyphs.map(({ id }) => id)).toEqual([49, 50]);
  expect(asked).toEqual(['1', ':', '2']);
});
