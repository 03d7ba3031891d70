import { expect, test } from 'vitest';
import type { Pipe } from '@headrace/contract/flow';
import { pipeLabels } from './pipe-labels.ts';

const quiet = { starts: 0, unsure: 0, firstAt: null, lps: 0, mayBeLps: 0, unset: 0, unknown: 0 };
const pipe = (more: Partial<Pipe> = {}): Pipe => ({
  kind: 'main',
  name: 'East',
  maxLps: null,
  open: 0,
  openLps: 0,
  mayBe: 0,
  mayBeLps: 0,
  unset: 0,
  planned: quiet,
  ...more,
});
/** As the farm's clock shows it. */
const write = (at: string) => at.slice(11, 16);
const until = '2026-11-20T05:52:00Z';
const quietly = { text: 'Nothing else is planned to start there by 05:52.', isOver: false };
const labelsOf = (pipes: Pipe[], lps: number) => pipeLabels({ pipes, lps, until }, write);
const open3 = { open: 3, openLps: 12 };
const mayBe1 = { mayBe: 1, mayBeLps: 4.5 };

test.each<[Partial<Pipe>, string, boolean]>([
  [{ kind: 'line', name: 'North' }, 'On its line (North), nothing else is open now.', false],
  [{ open: 1, openLps: 4 }, 'On the main (East), 1 other is open now: 4 L/s.', false],
  [mayBe1, 'On the main (East), 1 other may be open now: up to 4.5 L/s.', false],
  [{ ...mayBe1, unset: 1 }, 'On the main (East), 1 other may be open now.', false],
  [{ ...open3, ...mayBe1 }, 'On the main (East), 3 others are open now and 1 may be: 12 to 16.5 L/s.', false],
  [
    { maxLps: 20 },
    'On the main (East), nothing else is open now. With this one 4 L/s of the 20 L/s that it gives.',
    false,
  ],
  // 12 and its own 4 are just what it gives.
  [
    { ...open3, maxLps: 16 },
    'On the main (East), 3 others are open now: 12 L/s. With this one 16 L/s of the 16 L/s that it gives.',
    false,
  ],
  [
    { ...open3, maxLps: 15 },
    'On the main (East), 3 others are open now: 12 L/s. With this one 16 L/s: more than the 15 L/s that it gives.',
    true,
  ],
  [
    { ...open3, ...mayBe1, maxLps: 18 },
    'On the main (East), 3 others are open now and 1 may be: 12 to 16.5 L/s. With this one 16 to 20.5 L/s: that may be more than the 18 L/s that it gives.',
    true,
  ],
  [
    { ...open3, unset: 1, maxLps: 18 },
    'On the main (East), 3 others are open now: at least 12 L/s. With this one at least 16 L/s of the 18 L/s that it gives.',
    false,
  ],
])('a pipe that is %j of a sprinkler of 4 L/s: %s', (more, text, isOver) => {
  expect(labelsOf([pipe(more)], 4)).toEqual([{ text, isOver }, quietly]);
});

test('of a sprinkler whose own flow is not set only what the pipe gives is said', () => {
  expect(labelsOf([pipe({ ...open3, maxLps: 20 })], 0)[0]?.text).toBe(
    'On the main (East), 3 others are open now: 12 L/s. It gives 20 L/s.',
  );
});

test('the farm as a whole is named where its limit is known or there is nothing else', () => {
  const line = pipe({ kind: 'line', name: 'North' });
  const farm = pipe({ kind: 'farm', name: 'Rakaia', open: 1, openLps: 4 });
  const places = (pipes: Pipe[]) =>
    labelsOf(pipes, 4)
      .slice(0, -1)
      .map(({ text }) => text.split(',')[0]);
  expect(places([line, farm])).toEqual(['On its line (North)']);
  expect(places([line, { ...farm, maxLps: 40 }])).toEqual(['On its line (North)', 'On the whole farm']);
  expect(places([farm])).toEqual(['On the whole farm']);
});

const firstAt = '2026-11-20T05:12:00Z';
const five = { ...quiet, starts: 5, firstAt, lps: 12 };

test.each<[Partial<Pipe>, string, boolean]>([
  [
    { planned: five },
    'Planned there: 5 others start by 05:52, the first at 05:12: then 12 L/s at a time.',
    false,
  ],
  [
    { planned: { ...five, starts: 1 } },
    'Planned there: 1 other starts at 05:12: then 12 L/s at a time.',
    false,
  ],
  [
    { maxLps: 20, planned: five },
    'Planned there: 5 others start by 05:52, the first at 05:12: then 12 L/s at a time. With this one 16 L/s of the 20 L/s that it gives.',
    false,
  ],
  [
    { maxLps: 15, planned: five },
    'Planned there: 5 others start by 05:52, the first at 05:12: then 12 L/s at a time. With this one 16 L/s: more than the 15 L/s that it gives.',
    true,
  ],
  [
    { maxLps: 18, planned: { ...five, unsure: 2, mayBeLps: 8 } },
    'Planned there: 5 others start by 05:52, the first at 05:12, 2 of them not surely: then 12 to 20 L/s at a time. With this one 16 to 24 L/s: that may be more than the 18 L/s that it gives.',
    true,
  ],
  [
    { planned: { ...five, starts: 1, unsure: 1, lps: 0, unset: 1 } },
    'Planned there: 1 other starts at 05:12, not surely.',
    false,
  ],
  [
    { planned: { ...quiet, unknown: 3 } },
    'Planned there: none starts by 05:52. When 3 others water is not known.',
    false,
  ],
])('what is planned on a pipe that is %j is told as planned: %s', (more, text, isOver) => {
  const [now, planned, ...rest] = labelsOf([pipe(more)], 4);
  expect(now?.text.startsWith('On the main (East), nothing else is open now.')).toBe(true);
  expect(now?.isOver).toBe(false);
  expect(planned).toEqual({ text, isOver });
  expect(rest).toEqual([]);
});
