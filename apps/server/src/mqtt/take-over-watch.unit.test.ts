import { describe, expect, it } from 'vitest';
import { TakeOverWatch } from './take-over-watch.ts';

/** Connections that the broker ends `lastsMs` after each was ready, one after the other. */
function watch(count: number, lastsMs: number, byBroker = true) {
  const clock = { ms: 0 };
  const takeOvers = new TakeOverWatch(() => clock.ms);
  for (let done = 0; done < count; done++) {
    takeOvers.opened();
    clock.ms += lastsMs;
    takeOvers.closed(byBroker);
  }
  return { clock, takeOvers };
}

describe('a client id that two use', () => {
  it.each([
    [3, 700, true, true],
    [2, 700, true, false],
    [3, 15_000, true, false],
    [9, 700, false, false],
  ])('%i connections that lasted %i ms, ended by the broker: %s, look like it: %s', (...row) => {
    const [count, lastsMs, byBroker, expected] = row;
    expect(watch(count, lastsMs, byBroker).takeOvers.suspected()).toBe(expected);
  });

  it('is forgotten a minute after the last time', () => {
    const { clock, takeOvers } = watch(5, 700);
    clock.ms += 60_000;
    expect(takeOvers.suspected()).toBe(false);
  });
});
