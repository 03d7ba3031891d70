import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smsParts, smsText } from './sms-parts.ts';

describe('how many SMS a text is', () => {
  it.each([
    ['', 1],
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(306), 2],
    ['a'.repeat(307), 3],
    ['a'.repeat(459), 3],
    ['a'.repeat(460), 4],
    // Two places each.
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    // 76 of them in each part: the 77th would lie in two.
    ['€'.repeat(152), 2],
    ['€'.repeat(153), 3],
    ['ā'.repeat(70), 1],
    ['ā'.repeat(71), 2],
    ['ā'.repeat(134), 2],
    ['ā'.repeat(135), 3],
    ['ā'.repeat(210), 4],
    // Two places each; 33 in a joined part.
    ['🌧'.repeat(35), 1],
    ['🌧'.repeat(66), 2],
    ['🌧'.repeat(67), 3],
  ])('%s', (text, parts) => {
    expect(smsParts(text)).toBe(parts);
  });
});

describe('the text of an SMS', () => {
  it('keeps macrons where they cost nothing', () => {
    expect(smsText('Trough at Ōtāne: 12 %', 1)).toBe('Trough at Ōtāne: 12 %');
  });

  it('folds them where that saves a part', () => {
    expect(smsText(`Ōtāne – ${'a'.repeat(100)}…`, 1)).toBe(`Otane - ${'a'.repeat(100)}...`);
  });

  it('keeps what has no plain sign, folded or not', () => {
    expect(smsText('雨', 1)).toBe('雨');
  });

  it('is cut to the parts it may have', () => {
    const text = smsText('word '.repeat(200), 2);
    expect([smsParts(text), text.slice(-8)]).toEqual([2, 'd wor...']);
  });

  it('never has more parts than it may', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        fc.integer({ min: 1, max: 3 }),
        (text, most) => {
          expect(smsParts(smsText(text, most))).toBeLessThanOrEqual(most);
        },
      ),
    );
  });
});
