import { describe, expect, test } from 'vitest';
import { at, buildCommand } from './command-fixtures.ts';
import { withKnown, withNews } from './under-way.queries.ts';

const send = buildCommand(1, {
  command: 'SendScheduleSet',
  state: 'progress',
  total: 300,
  done: 10,
  stateAt: at(10),
});

describe('the commands that are under way', () => {
  test('have a new one first, and go on with their news', () => {
    const newer = buildCommand(2, { command: 'PollGroup', state: 'sent', total: 20, done: 0 });
    expect(withNews([send], newer)).toEqual([newer, send]);
    const further = { ...send, done: 40, stateAt: at(20) };
    expect(withNews([newer, send], further)).toEqual([newer, further]);
  });

  test('leave out one that has ended, what is for one or for gateways, and news that are older', () => {
    expect(withNews([send], { ...send, state: 'done', done: 300, stateAt: at(99) })).toEqual([]);
    const known = [send];
    const poll = { command: 'PollGroup', state: 'sent' } as const;
    expect(withNews(known, buildCommand(3, { ...poll, total: 1 }))).toBe(known);
    // The time is set by each of two gateways.
    expect(withNews(known, buildCommand(4, { command: 'IncTimeSet', state: 'sent', total: 2 }))).toBe(known);
    expect(withNews(known, { ...send, done: 5, stateAt: at(5) })).toBe(known);
    expect(withNews(known, send)).toBe(known);
  });

  test('of an answer that its news have overtaken keep what the news said', () => {
    const further = { ...send, done: 18 };
    const newer = buildCommand(2, { command: 'PollGroup', state: 'sent', total: 20, done: 0 });
    expect(withKnown([further], [newer, { ...send, done: 16 }])).toEqual([newer, further]);
    expect(withKnown([further], [{ ...send, done: 20 }])).toEqual([{ ...send, done: 20 }]);
    expect(withKnown(undefined, [send])).toEqual([send]);
  });
});
