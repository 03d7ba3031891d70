import { expect, test } from 'vitest';
import type { IpcStatus } from '@headrace/contract/groups';
import { plannedWords, takenWords } from './valve-words.ts';

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
const taken = (over: Partial<Belief>) => takenWords({ belief: belief(over), activeAt: [] }, auckland, now);

test.each<[Partial<Belief>, string]>([
  [{}, 'Open until about 06:10 by its schedule'],
  [{ cause: 'command' }, 'Open until about 06:10 by its Valve On'],
  [
    { cause: 'command', basis: 'answered' },
    'Open, as it answered at 05:12, until about 06:10 by its Valve On',
  ],
  [{ until: null, cause: 'unknown' }, 'Open; what asks for it is not known'],
  [{ until: null, cause: 'none' }, 'Open, though neither a schedule nor a command asks for it'],
  [
    { state: 'mayBeOpen', basis: 'planned' },
    'Should be open until 06:10 by its schedule; it has not said so',
  ],
  [
    { state: 'openOverdue', until: at(5, 40) },
    'Should be closed by now (05:40); its valve not heard since 05:12',
  ],
  [{ state: 'unknown', until: null, cause: 'none' }, 'Not known: it may have been opened since 05:12'],
  [{ state: 'unknown', until: null, basis: 'none' }, 'Not known: heard last at 05:12'],
  [{ state: 'unknown', since: null, basis: 'none' }, 'Not known: it was never heard'],
  [{ state: 'closed', basis: 'answered' }, 'Closed, as it answered a Valve Off at 05:12'],
  [{ state: 'closed', basis: 'none' }, 'Closed, as far as is known: nothing asks for it to be open'],
])('%j is said as %s', (over, words) => {
  expect(taken(over)).toBe(words);
});

test('nothing is concluded where it is as it said, and a far time has its day', () => {
  expect(takenWords({ belief: null, activeAt: [] }, auckland, now)).toBeNull();
  expect(taken({ state: 'openOverdue', until: at(-40) })).toContain('/2026 08:00');
});

test('a plan is said as one', () => {
  const run = { startAt: at(7), endAt: at(8), cycle: 1, activeNow: false };
  const planned = (activeAt: IpcStatus['activeAt']) =>
    plannedWords({ belief: null, activeAt }, auckland, now);
  expect(planned([])).toBeNull();
  expect(planned([run])).toBe('Waters next at 07:00');
  expect(planned([run, { ...run, startAt: at(5), endAt: at(6, 30), activeNow: true }])).toBe(
    'Waters until 06:30',
  );
});
