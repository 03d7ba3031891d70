import { expect, test } from 'vitest';
import type { IpcStatus } from '@headrace/contract/groups';
import { nowSentence, plannedLabel } from './now-labels.ts';

const auckland = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
} as const;
/** 06:00 on 21 November 2026 on the farm. */
const now = Date.parse('2026-11-20T17:00:00Z');
/** On the same clock, that morning. */
const at = (hours: number, minutes = 0) => now + ((hours - 6) * 60 + minutes) * 60_000;
type Belief = NonNullable<IpcStatus['belief']>;
const belief = (over: Partial<Belief>): Belief => ({
  state: 'open',
  since: at(5, 12),
  until: at(6, 10),
  basis: 'said',
  cause: 'schedule',
  ...over,
});
const closed = {
  belief: null,
  valveOpen: false,
  valveAt: at(5, 12),
  isInhibited: false,
  activeAt: [] as IpcStatus['activeAt'],
  cycleLen: 1,
};
const later = { startAt: at(7), endAt: at(8), cycle: 1, activeNow: false };
const running = { startAt: at(5), endAt: at(6, 30), cycle: 2, activeNow: true };
const said = (over: Partial<Belief>, more: Partial<typeof closed> = {}) =>
  nowSentence({ ...closed, ...more, belief: belief(over) }, auckland, now);

test.each<[Partial<Belief>, string]>([
  [{}, 'Watering since 05:12 (it said so), until about 06:10: by its schedule.'],
  [{ cause: 'command' }, 'Watering since 05:12 (it said so), until about 06:10: by a Valve On.'],
  [
    { cause: 'command', basis: 'answered' },
    'Watering since 05:12 (it answered so), until about 06:10: by a Valve On.',
  ],
  [
    { until: null, cause: 'foreign' },
    'Open since 05:12 (it said so), by a schedule that was not sent from here.',
  ],
  [{ until: null, cause: 'unknown' }, 'Open since 05:12 (it said so), and what asks for it is not known.'],
  [
    { until: null, cause: 'none' },
    'Open since 05:12 (it said so), though neither a schedule nor a command asks for it.',
  ],
  [
    { state: 'mayBeOpen', basis: 'planned' },
    'It should be watering until about 06:10 by its schedule. It has not said so.',
  ],
  [
    { state: 'openOverdue', until: at(5, 40) },
    'It should have closed at 05:40. It said open last at 05:12, and has not said that it closed.',
  ],
  [
    { state: 'unknown', until: null, cause: 'none' },
    'Not known: it may have been opened since it was heard at 05:12.',
  ],
  [{ state: 'unknown', until: null, basis: 'none' }, 'Not known: heard last at 05:12.'],
  [{ state: 'unknown', since: null, basis: 'none' }, 'Not known: it was never heard.'],
  [{ state: 'closed', basis: 'answered' }, 'Closed, as it answered a Valve Off at 05:12.'],
  [{ state: 'closed', basis: 'none' }, 'Closed, as far as is known: nothing asks for it to be open.'],
])('%j is said as %s', (over, text) => {
  expect(said(over)).toBe(text);
});

test('what is simply as it said is said as that, with what its schedule does next', () => {
  expect(nowSentence(closed, auckland, now)).toBe('Closed, as it said at 05:12.');
  expect(nowSentence({ ...closed, activeAt: [later] }, auckland, now)).toBe(
    'Closed, as it said at 05:12. Waters next at 07:00.',
  );
  expect(nowSentence({ ...closed, valveOpen: null }, auckland, now)).toBe(
    'It has said nothing of its valve.',
  );
});

test('of a unit that is not heard the next watering is told as the plan that it is', () => {
  expect(said({ state: 'unknown', until: null, basis: 'none' }, { activeAt: [later] })).toBe(
    'Not known: heard last at 05:12. By its schedule: waters next at 07:00.',
  );
});

test('an inhibited unit waters at no time, whatever its schedule has', () => {
  const inhibited = { ...closed, isInhibited: true, activeAt: [later] };
  expect(nowSentence(inhibited, auckland, now)).toBe('Closed, as it said at 05:12.');
});

test('of a cycle of several days the day is named, and a far time has its day', () => {
  expect(said({}, { activeAt: [running], cycleLen: 2 })).toBe(
    'Watering since 05:12 (it said so), until about 06:10: by its schedule, day 2 of 2.',
  );
  expect(said({ state: 'openOverdue', until: at(-40) })).toContain('/2026 08:00 ');
});

test('a plan is said as one', () => {
  const planned = (activeAt: IpcStatus['activeAt']) => plannedLabel({ activeAt }, auckland, now);
  expect(planned([])).toBeNull();
  expect(planned([later])).toBe('Waters next at 07:00');
  expect(planned([later, running])).toBe('Waters until 06:30');
});
