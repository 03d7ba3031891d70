import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageText, durationText, gatewayBanner, gatewayCondition, outOfContactText } from './contact.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const now = Date.UTC(2026, 10, 21);

describe('durations', () => {
  it.each([
    [0, '0 minutes'],
    [59_999, '0 minutes'],
    [MINUTE, '1 minute'],
    [59 * MINUTE, '59 minutes'],
    [HOUR, '1 hour'],
    [3 * HOUR + MINUTE, '3 hours, 1 minute'],
    [23 * HOUR + 59 * MINUTE, '23 hours, 59 minutes'],
    [DAY, '1 day'],
    [DAY + 59 * MINUTE, '1 day'],
    [2 * DAY + 3 * HOUR, '2 days, 3 hours'],
    [365 * DAY, '365 days'],
  ])('%d ms', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it.each([
    [-9 * MINUTE, '9 min ahead of the clock'],
    [-2 * MINUTE, '2 min ahead of the clock'],
    [-MINUTE, 'just now'],
    [MINUTE - 1, 'just now'],
    [MINUTE, '1 min ago'],
    [HOUR - 1, '59 min ago'],
    [HOUR, '1 h ago'],
    [DAY - 1, '23 h ago'],
    [DAY, '1 day ago'],
    [2 * DAY, '2 days ago'],
  ])('%d ms ago', (ms, text) => {
    expect(ageText(now - ms, now)).toBe(text);
  });

  it('are never empty, negative or undefined', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 * DAY }), (ms) => {
        expect(durationText(ms)).toMatch(/^\d+ (day|hour|minute)s?(, \d+ (hour|minute)s?)?$/);
      }),
    );
  });
});

describe('a unit out of contact', () => {
  it.each([
    ['never', null, "Unit couldn't be reached."],
    ['in 1970', 0, "Unit couldn't be reached."],
    ['a minute ago', now - MINUTE, "This unit hasn't been in contact for 1 minute."],
    ['4 hours ago', now - 4 * HOUR, "This unit hasn't been in contact for 4 hours, 0 minutes."],
    [
      'a day and 59 minutes ago',
      now - DAY - 59 * MINUTE,
      "This unit hasn't been in contact for 1 day, 0 hours, 59 minutes.",
    ],
    [
      'some days ago',
      now - 31 * DAY - 2 * HOUR - 5 * MINUTE,
      "This unit hasn't been in contact for 31 days, 2 hours, 5 minutes.",
    ],
    ['365 days ago', now - 365 * DAY, "This unit hasn't been in contact for 365 days, 0 hours, 0 minutes."],
    ['longer ago', now - 365 * DAY - 1, 'This unit has no contact.'],
  ])('heard %s', (_name, at, text) => {
    expect(outOfContactText(at, now)).toBe(text);
  });
});

describe('a gateway', () => {
  it.each([
    ['never', null, 'never', "Unit couldn't be reached."],
    ['in 1970', 5, 'never', "Unit couldn't be reached."],
    ['just now', now, 'ok', null],
    ['exactly a day ago', now - DAY, 'ok', null],
    [
      'a moment longer ago',
      now - DAY - 1,
      'outOfContact',
      'This unit is out of contact for more than 1 days!',
    ],
    [
      '364 days ago',
      now - 365 * DAY + 1,
      'outOfContact',
      'This unit is out of contact for more than 364 days!',
    ],
    ['365 days ago', now - 365 * DAY, 'outOfContact', 'Unit never been reached.'],
  ])('heard %s', (_name, at, condition, banner) => {
    expect(gatewayCondition(at, now)).toBe(condition);
    expect(gatewayBanner(at, now)).toBe(banner);
  });
});
