import { describe, expect, it } from 'vitest';
import { newSecret, stepOf, uriOf } from './totp.ts';

/** RFC 6238, appendix B: the ASCII secret 12345678901234567890; its eight digits end with these six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);

describe('a code of an authenticator app', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %i s is %s', (seconds, code, step) => {
    expect(stepOf(SECRET, code, at(seconds))).toBe(step);
  });

  it('is taken from a clock that is 30 s off, and no more', () => {
    // Of the step from 1,111,111,110 s on.
    expect(stepOf(SECRET, '050471', at(1_111_111_109))).toBe(37_037_037);
    expect(stepOf(SECRET, '050471', at(1_111_111_169))).toBe(37_037_037);
    expect(stepOf(SECRET, '050471', at(1_111_111_170))).toBeNull();
    expect(stepOf(SECRET, '050471', at(1_111_111_079))).toBeNull();
  });

  it.each(['', '12345', '1234567', 'abcdef', '000000'])('%j is none', (code) => {
    expect(stepOf(SECRET, code, at(59))).toBeNull();
  });
});

it('a new secret has 160 bits, and each another', () => {
  const secrets = new Set(Array.from({ length: 20 }, newSecret));
  expect(secrets.size).toBe(20);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it('its address says whose it is, and how codes are made', () => {
  expect(uriOf(SECRET, 'ana@example.com')).toBe(
    `otpauth://totp/Headrace:ana%40example.com?issuer=Headrace&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  );
});
