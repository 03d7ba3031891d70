import { describe, expect, it } from 'vitest';
import { scheduleCrc } from './schedule-crc.ts';

describe('scheduleCrc', () => {
  // Expected values from Python's binascii.crc_hqx, start 0xFFFF, over the same big-endian bytes.
  it.each([
    [[{ start: 360, duration: 30, cycle: 1 }], '18:02'],
    [
      [
        { start: 1140, duration: 130, cycle: 1 },
        { start: 60, duration: 28, cycle: 2 },
      ],
      '33:C9',
    ],
  ])('of %j is %s', (entries, expected) => {
    expect(scheduleCrc(entries)).toBe(expected);
  });

  it('keeps D6:DA for units without a schedule: a schedule with that CRC gets the next', () => {
    expect(scheduleCrc([])).toBe('D6:DA');
    expect(scheduleCrc([{ start: 32, duration: 89, cycle: 1 }])).toBe('D6:DB');
  });
});
