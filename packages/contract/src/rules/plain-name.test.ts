import fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksLikeLink, mailedName } from './plain-name.ts';

test.each([
  ['Headrace security: your account is locked, go to https://evil.example/login', true],
  ['www.evil', true],
  ['Log in at evil.example', true],
  ['evil.example/login now', true],
  ['EVIL.CO', true],
  ['ana@evil.example', true],
  ['хакер.рф', true],
  ['Ana Tawhai', false],
  ['J.R. Smith', false],
  ['St. John', false],
  ['Block No.2', false],
  ['Ngaire O’Neill', false],
  ['Smith & Sons Ltd.', false],
  ['12.5 ha east', false],
])('%j reads as a link: %s', (text, is) => {
  expect(looksLikeLink(text)).toBe(is);
});

test.each([
  ['Olive Owner', 'Olive Owner'],
  [' Hinds ', 'Hinds'],
  ['<b>Ngā "Wai"</b> & O\'Neill', '<b>Ngā "Wai"</b> & O\'Neill'],
  ['Headrace security: pay now', null],
  ['Call 0900 123 456 now', null],
  ['x'.repeat(61), null],
  ['two\nlines', null],
  ['two\u2028lines', null],
  ['', null],
  ['Block 2026', 'Block 2026'],
])('%j stands in a mail as %j', (name, shown) => {
  expect(mailedName(name)).toBe(shown);
});

test('what stands in a mail holds no link, whatever was typed', () => {
  fc.assert(
    fc.property(fc.string(), fc.webUrl(), fc.string(), (before, url, after) => {
      expect(mailedName(`${before}${url}${after}`)).toBeNull();
    }),
  );
});
