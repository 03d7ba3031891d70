import { describe, expect, test } from 'vitest';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { WateringRun } from '@headrace/contract/waterings';
import { uid } from '../../testing/fixtures.ts';
import { dayText } from '../../ui/format.ts';
import { depthLabel, entryLabel, fateText, heldName, noneAheadText, runText } from './schedule-labels.ts';

const auckland = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
} as const;
/** 06:00 on 21 November 2026 on the farm. */
const now = Date.parse('2026-11-20T17:00:00Z');
const DAY = 86_400_000;
type Fate = SprinklerInfo['next'][number]['fate'];
const fate = (kind: Fate['kind'], reasons: Fate['reasons'] = [], clockS: number | null = 0) => {
  const run = { startAt: now, endAt: now, cycle: 1, duration: 30, clock: 'plain' } as const;
  return fateText({ ...run, fate: { kind, reasons, shiftS: 0 } }, clockS, now, auckland);
};

test('a hold is said with its end, and whether the unit said that it stopped', () => {
  const reasons = [{ code: 'held', at: now + DAY }] as const;
  const day = dayText('2026-11-22');
  expect(fate('wont', [...reasons])).toBe(`Won't water: held until ${day} 06:00 NZDT`);
  expect(fate('unsure', [...reasons])).toBe(
    `Not sure: held until ${day} 06:00 NZDT, and not heard to have stopped`,
  );
});

test('whether it will water is said with what speaks against it', () => {
  expect(fate('will')).toBe('Planned');
  expect(fate('under way')).toBe('Under way by its schedule');
  expect(fate('wont', [{ code: 'inhibited', at: null }])).toBe("Won't water: it is inhibited");
  expect(
    fate(
      'unsure',
      [
        { code: 'notHeard', at: now - 4 * DAY },
        { code: 'clock', at: now - 4 * DAY },
      ],
      95,
    ),
  ).toBe('Not sure: it was heard last 4 days ago; its clock is 95 s fast');
});

const held = {
  state: 'wanted',
  setId: uid(1),
  setName: 'Summer',
  crc: '1A:2B',
  entries: [],
  cycleDays: 1,
  since: now,
  how: 'said',
  stoppedAt: null,
} satisfies SprinklerInfo['held'];

test.each<[Partial<SprinklerInfo['held']>, string, string]>([
  [{}, 'Summer', 'What it holds has no watering.'],
  [{ state: 'older', setName: null }, 'A schedule without a name', 'What it holds has no watering.'],
  [
    { state: 'foreign' },
    'A schedule that was not sent from here',
    'It holds a schedule that was not sent from here: when it waters is not known.',
  ],
  [{ state: 'nothing' }, 'No schedule', 'It holds no schedule: nothing is to come.'],
  [{ state: 'unknown' }, 'Not known', 'Nobody knows what it holds: when it waters next is not known.'],
  [{ stoppedAt: now }, 'Summer', 'It is inhibited: it runs nothing until it is uninhibited.'],
])('what it holds by %j is %s', (over, name, none) => {
  expect(heldName({ ...held, ...over })).toBe(name);
  expect(noneAheadText({ ...held, ...over })).toBe(none);
});

test('an entry has its day where the cycle has several, and a start after midnight is on the clock', () => {
  expect(entryLabel({ start: 312, duration: 29, cycle: 1 }, 1)).toBe('05:12, 29 min');
  expect(entryLabel({ start: 1450, duration: 5, cycle: 2 }, 2)).toBe('day 2, 00:10, 5 min');
});

describe('a watering that was', () => {
  const later = Date.parse('2026-11-22T00:00:00Z');
  // Asked for from 05:12 to 05:41 in New Zealand's summer time.
  const run: WateringRun = {
    uid: uid(1),
    openedAt: '2026-11-20T16:12:00.000Z',
    openedHow: 'said',
    openUntil: '2026-11-20T16:20:00.000Z',
    closedAt: '2026-11-20T16:41:00.000Z',
    closedHow: 'said',
    commandId: null,
    endsAt: '2026-11-20T16:41:00.000Z',
    mmPerMin: 0.2,
  };
  const text = (over: Partial<WateringRun>, now = later) => runText({ ...run, ...over }, auckland, now);

  test('has its times, its length, what it gave and whose word they are', () => {
    expect(text({})).toEqual({
      times: '05:12 to 05:41 (29 min)',
      how: 'it said so',
      mm: expect.closeTo(5.8, 9),
    });
    expect(text({ closedHow: 'logged', endsAt: null }).how).toBe('it told later');
    expect(text({ closedHow: 'answered', commandId: uid(5) }).how).toBe('it answered so, by a Valve On');
    expect(depthLabel(5.8)).toBe('about 5.8 mm');
    expect(depthLabel(26.4)).toBe('about 26 mm');
  });

  test('whose "closed" came long after its time ends by its schedule, and that is said', () => {
    expect(text({ closedAt: '2026-11-21T08:00:00.000Z' })).toEqual({
      times: '05:12 to about 05:41 (29 min)',
      how: 'its end was not heard: by its schedule; it said closed at 21:00',
      mm: expect.closeTo(5.8, 9),
    });
  });

  test('that nothing is known to have asked for has no length: only what it said then', () => {
    expect(text({ endsAt: null, closedAt: '2026-11-21T16:12:00.000Z' })).toEqual({
      times: `Open at 05:12, closed at 05:12 on ${dayText('2026-11-22')}`,
      how: 'it said so then; when it opened and closed is not known',
      mm: null,
    });
  });

  test('of which no end was heard ends by what asked for it, when that is past', () => {
    const open = { closedAt: null, closedHow: null };
    expect(text(open)).toEqual({
      times: '05:12 to about 05:41 (29 min)',
      how: 'its end was not heard: by its schedule',
      mm: expect.closeTo(5.8, 9),
    });
    expect(text({ ...open, commandId: uid(5) }).how).toBe('its end was not heard: by its Valve On');
    expect(text(open, Date.parse('2026-11-20T16:30:00Z'))).toEqual({
      times: 'From 05:12, until about 05:41',
      how: 'it said so',
      mm: null,
    });
    expect(text({ ...open, endsAt: null })).toEqual({
      times: 'From 05:12, still open at 05:20',
      how: 'it said so; its end was not heard',
      mm: null,
    });
    expect(text({ ...open, endsAt: null, openUntil: run.openedAt }).times).toBe('From 05:12');
  });
});
