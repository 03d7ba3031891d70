import { describe, expect, it } from 'vitest';
import { AttemptLimit, addressKey } from './attempt-limit.ts';

const at = (second: number) => new Date(second * 1_000);

describe('attempt limit', () => {
  it('blocks a key at its limit until the window since its first failure is over', () => {
    const limit = new AttemptLimit(2, 60_000);
    limit.fail('a', at(0));
    expect(limit.isBlocked('a', at(1))).toBe(false);
    limit.fail('a', at(30));
    expect(limit.isBlocked('a', at(59.9))).toBe(true);
    expect(limit.isBlocked('b', at(59.9))).toBe(false);
    expect(limit.isBlocked('a', at(60))).toBe(false);
  });

  it('remembers a bounded number of keys, the newest', () => {
    const limit = new AttemptLimit(1, 60_000, 2);
    for (const key of ['a', 'b', 'c']) limit.fail(key, at(0));
    expect(['a', 'b', 'c'].map((key) => limit.isBlocked(key, at(1)))).toEqual([false, true, true]);
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('counts %s as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
