import { expect, it } from 'vitest';
import { hashRecoveryCode, newRecoveryCode } from './recovery-codes.ts';

it('is four groups of seven, each another: 140 bits', () => {
  const codes = new Set(Array.from({ length: 50 }, newRecoveryCode));
  expect(codes.size).toBe(50);
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{7}-){3}[0-9A-HJKMNP-TV-Z]{7}$/);
});

it('is known however it is typed, also one of four groups of six, as they were before', () => {
  expect(hashRecoveryCode(newRecoveryCode())).toHaveLength(32);
  const hash = hashRecoveryCode('10AB0C-DEFGH0-123456-VWXYZ1');
  expect(hash).toHaveLength(32);
  for (const typed of [
    '10ab0cdefgh0123456vwxyz1',
    ' 10AB0C DEFGH0 123456 VWXYZ1 ',
    'ioABOC-DEFGHo-l23456-VWXYZI',
  ])
    expect(hashRecoveryCode(typed)).toEqual(hash);
  expect(hashRecoveryCode('10AB0C-DEFGH0-123456-VWXYZ2')).not.toEqual(hash);
});

it.each(['', '123456', '10AB0C-DEFGH0-123456', '10AB0C-DEFGH0-123456-VWXYZ1-2'])('%j is none', (typed) => {
  expect(hashRecoveryCode(typed)).toBeNull();
});
