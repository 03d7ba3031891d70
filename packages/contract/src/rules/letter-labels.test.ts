import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letterText } from './letter-labels.ts';

describe('a reason in words', () => {
  it.each([
    [
      'unknown device 70B3D5FFFF000001',
      'This farm has no device with the MAC 70B3D5FFFF000001.',
      /^Add the device/,
    ],
    [
      'device 0004A30B001C0530 is a sensor, not a sprinkler',
      '0004A30B001C0530 is a sensor of this farm, and was reported as a sprinkler.',
      /gateway/,
    ],
    [
      'time 2019-01-01T00:00:00.000Z is older than the 730 days that readings are kept',
      'The reading is older than the 730 days that readings are kept.',
      /^Nothing can be done/,
    ],
    [
      'time 2031-01-01T00:00:00.000Z is more than 10 minutes ahead of the clock',
      'The time of the reading lay ahead when it came.',
      /^Set the device's/,
    ],
    [
      'over the limit of 2000000 readings a day for a farm',
      'More than 2,000,000 readings a day came from this farm.',
      /^Try again tomorrow/,
    ],
    [
      'over the limit of 10000000 readings a day for all farms of an account',
      "More than 10,000,000 readings a day came from all of the owner's farms.",
      /^Try again tomorrow/,
    ],
    [
      'over the limit of 200000 values that are kept of a farm: remove devices, or ask the operator for more',
      'The farm keeps as many values as it may.',
      /^Remove devices/,
    ],
    [
      'not decoded: codec Soil: line 3: nope',
      "The payload couldn't be decoded: codec Soil: line 3: nope.",
      /codec/,
    ],
    [
      "the server's clock is behind: kept, and taken by itself when the clock is right",
      "The server's own clock is wrong, so it can't tell whether these readings are from now.",
      /^Nothing/,
    ],
    [
      'message is not JSON',
      "The message isn't as the device protocol has it: message is not JSON.",
      /made or set up/,
    ],
  ])('%s', (reason, why, todo) => {
    expect(letterText(reason)).toEqual({ why, todo: expect.stringMatching(todo) as string });
  });

  it('always says something', () => {
    fc.assert(
      fc.property(fc.string(), (reason) => {
        const { why, todo } = letterText(reason);
        expect(why.length * todo.length).toBeGreaterThan(0);
      }),
    );
  });
});
