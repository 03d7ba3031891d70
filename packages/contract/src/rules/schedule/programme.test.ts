import { scheduleCrc } from '@headrace/device/schedule-crc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { programmeOf } from './programme.ts';

const run = (start: number, duration = 28) => ({ start, duration });

describe('what a unit is told', () => {
  it.each([
    ['daily, from the first minute', [run(0)], 1440, [[0, 28, 1]], 1, '28:33'],
    ['one that goes on over midnight', [run(1428)], 2880, [[1428, 28, 1]], 2, 'C4:BE'],
    ['the second day, in minutes of that day', [run(1456)], 2880, [[16, 28, 2]], 2, '1C:0A'],
    ['one of 29 minutes', [run(0, 29)], 1440, [[0, 29, 1]], 1, '1F:03'],
    ['one from 21:00', [run(1260)], 1440, [[1260, 28, 1]], 1, '9E:B5'],
    ['one from 01:24', [run(84)], 1440, [[84, 28, 1]], 1, 'B4:07'],
    ['one from 01:52', [run(112)], 1440, [[112, 28, 1]], 1, '35:B5'],
    ['nothing', [], 1440, [], 1, 'D6:DA'],
  ] as const)('%s', (_, runs, cycleMin, entries, cycleDays, crc) => {
    const told = programmeOf(runs, cycleMin);
    expect(told.entries.map(({ start, duration, cycle }) => [start, duration, cycle])).toEqual(entries);
    expect([told.cycleDays, told.crc]).toEqual([cycleDays, crc]);
  });

  it('E20: the same minutes in a cycle of one and of two days have one CRC, and differ in the cycle', () => {
    const [daily, everySecondDay] = [programmeOf([run(0)], 1440), programmeOf([run(0)], 2880)];
    expect([daily.crc, everySecondDay.crc]).toEqual(['28:33', '28:33']);
    expect([daily.cycleDays, everySecondDay.cycleDays]).toEqual([1, 2]);
  });

  it('E21: two rounds a day are two waterings of each unit', () => {
    const { entries, cycleDays, crc } = programmeOf([run(0)], 720);
    expect(entries).toEqual([
      { start: 0, duration: 28, cycle: 1 },
      { start: 720, duration: 28, cycle: 1 },
    ]);
    expect([cycleDays, crc]).toEqual([1, '40:F7']);
  });
});

const cycleMin = fc.constantFrom(288, 360, 480, 720, 1440, 2880);
const plan = cycleMin.chain((minutes) =>
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: minutes - 1 }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 60 }),
    )
    .map(([starts, duration]) => ({ minutes, runs: starts.map((start) => run(start, duration)) })),
);

it('invariant 10: sorted, in minutes of a day, with the CRC of what is told, and read back they are the runs', () => {
  fc.assert(
    fc.property(plan, ({ minutes, runs }) => {
      const { entries, crc } = programmeOf(runs, minutes);
      const absolute = entries.map(({ start, cycle }) => (cycle - 1) * 1440 + start);
      expect(absolute).toEqual(absolute.toSorted((a, b) => a - b));
      expect(entries.every(({ start }) => start >= 0 && start < 1440)).toBe(true);
      expect(crc).toBe(scheduleCrc(entries));
      const firstRound = absolute.filter((start) => start < minutes);
      expect(firstRound).toEqual(runs.map(({ start }) => start).toSorted((a, b) => a - b));
      expect(programmeOf(runs.toReversed(), minutes)).toEqual(programmeOf(runs, minutes));
    }),
    { numRuns: 1000 },
  );
});
