import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LevelMemory, levelMoves, type LevelReading, noiseOf } from './level-use.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Noise that comes out the same each time (mulberry32), normally spread with a standard deviation of 1. */
function noiseFrom(seed: number): () => number {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 0.5) / 4_294_967_296;
  };
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

interface Sensor {
  /** mm */
  noise?: number;
  step?: number;
  everyMinutes?: number;
  seed?: number;
}

/** What a sensor reads of a level, mm by days since the start. */
function readingsOf(days: number, level: (day: number) => number, sensor: Sensor): LevelReading[] {
  const { noise = 0, step = 0, everyMinutes = 30, seed = 1 } = sensor;
  const gauss = noiseFrom(seed);
  const count = Math.floor((days * DAY) / (everyMinutes * MINUTE));
  return Array.from({ length: count }, (_, index) => {
    const at = (index + 0.5) * everyMinutes * MINUTE;
    const mm = level(at / DAY) + noise * gauss();
    return { at, mm: step > 0 ? Math.round(mm / step) * step : mm };
  });
}

/** What left on each day, mm. */
function usedByDay(readings: readonly LevelReading[]): number[] {
  const used: number[] = [];
  let memory: LevelMemory | null = null;
  let before: LevelReading | null = null;
  for (let day = 0; readings.some(({ at }) => at >= day * DAY); day += 1) {
    const own = readings.filter(({ at }) => at >= day * DAY && at < (day + 1) * DAY);
    const found: ReturnType<typeof levelMoves> = levelMoves(memory, before, own);
    used.push(found.moves.reduce((sum, { fall }) => sum + fall, 0));
    memory = found.memory;
    before = own.at(-1) ?? before;
  }
  return used;
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const sensors = fc.record({
  noise: fc.double({ min: 0.2, max: 6, noNaN: true }),
  everyMinutes: fc.constantFrom(1, 5, 10, 15, 30, 60),
  step: fc.constantFrom(0, 0, 1),
  seed: fc.integer({ min: 1, max: 1_000_000 }),
});

/** The same sensors each time: of those drawn anew, one in some thousands lies beyond any such bound, as noise does. */
const sixty = { numRuns: 60, seed: 1 };

describe('noise alone', () => {
  it('uses next to nothing, however loud and often it is told', () => {
    fc.assert(
      fc.property(sensors, (sensor) => {
        const used = sum(usedByDay(readingsOf(6, () => 1000, sensor))) / 6;
        // None as a rule, and no more than five deviations a day; the sum of its falls would be 14 to 800 of them.
        expect(used).toBeLessThan(5 * sensor.noise + 5 * sensor.step + 0.2);
      }),
      sixty,
    );
  });

  it('of a sensor that flickers between two steps uses nothing once its step is known', () => {
    const used = usedByDay(readingsOf(5, () => 1002.5, { noise: 0.6, step: 5 }));
    expect(used.slice(1)).toEqual([0, 0, 0, 0]);
  });
});

describe('a tank that is drawn from', () => {
  it('is told whole over days, however slowly it falls', () => {
    fc.assert(
      fc.property(sensors, fc.double({ min: 3, max: 200, noNaN: true }), (sensor, perDay) => {
        const days = 12;
        const used = sum(usedByDay(readingsOf(days, (day) => 4000 - perDay * day, sensor)));
        // All of it but what the band still hides at the end, and what noise adds.
        const off = Math.abs(used - perDay * days);
        expect(off).toBeLessThan(0.03 * perDay * days + 12 * sensor.noise + 3 * sensor.step + 2);
      }),
      sixty,
    );
  });

  it.each([
    [1, 3],
    [1, 6],
    [5, 3],
    [5, 6],
  ])(
    'and read every %i min by a sensor that flickers between its steps is told within 2.5 mm of %i a day',
    (everyMinutes, perDay) => {
      for (let seed = 1; seed <= 10; seed += 1) {
        const sensor = { noise: 0.4, step: 1, everyMinutes, seed };
        const used = sum(usedByDay(readingsOf(12, (day) => 4000 - perDay * day, sensor)));
        expect(Math.abs(used - 12 * perDay)).toBeLessThan(2.5);
      }
    },
  );

  it('by day and filled by night is told within a twentieth, fills or not', () => {
    fc.assert(
      fc.property(sensors, fc.double({ min: 150, max: 600, noNaN: true }), (sensor, draw) => {
        // Drawn from 06:00 to 20:00, filled from 22:00 to 24:00.
        const level = (day: number) => {
          const hour = (day % 1) * 24;
          const drawn = draw * Math.min(1, Math.max(0, (hour - 6) / 14));
          return 2500 - drawn + draw * Math.max(0, (hour - 22) / 2);
        };
        const used = sum(usedByDay(readingsOf(10, level, sensor))) / 10;
        expect(Math.abs(used - draw)).toBeLessThan(0.05 * draw + sensor.noise + sensor.step);
      }),
      sixty,
    );
  });

  it('by a sensor without noise is told exactly', () => {
    const mm = [1000, 900, 950, 925, 925, 940];
    const readings = mm.map((level, index) => ({ at: index * HOUR, mm: level }));
    const { moves } = levelMoves(null, null, readings);
    expect(moves.map(({ fall, rise }) => [fall, rise])).toEqual([
      [100, 0],
      [0, 50],
      [25, 0],
      [0, 0],
      [0, 15],
    ]);
    expect(moves[1]).toMatchObject({ from: HOUR, to: 2 * HOUR });
  });

  it('and silent for a day, or restarted, loses nothing of it', () => {
    const whole = readingsOf(9, (day) => 3000 - 100 * day, { noise: 2, everyMinutes: 15 });
    const part = whole.filter(({ at }) => at < 3.4 * DAY || at > 4.6 * DAY);
    expect(Math.abs(sum(usedByDay(part)) - 900)).toBeLessThan(20);
    // Silent for a whole day of the clock too.
    const gone = whole.filter(({ at }) => at < 3 * DAY || at > 5 * DAY);
    const used = usedByDay(gone);
    expect(Math.abs(sum(used) - 900)).toBeLessThan(20);
    expect(used[4]).toBe(0);
  });

  it('and told unevenly, oftener while it is drawn from, is the same', () => {
    const level = (day: number) => {
      const hour = (day % 1) * 24;
      return 3000 - 120 * (Math.floor(day) + Math.min(1, Math.max(0, (hour - 8) / 3)));
    };
    const often = readingsOf(10, level, { noise: 1.5, everyMinutes: 2 });
    const uneven = often.filter(({ at }, index) => {
      const hour = ((at / DAY) % 1) * 24;
      return (hour > 8 && hour < 11) || index % 15 === 0;
    });
    for (const readings of [often, uneven])
      expect(Math.abs(sum(usedByDay(readings)) - 1200)).toBeLessThan(40);
  });
});

describe('a single reading far off', () => {
  const quiet = readingsOf(1, () => 1000, { noise: 1, everyMinutes: 5 });
  const withOne = (index: number, mm: number) =>
    quiet.map((reading, at) => (at === index ? { ...reading, mm } : reading));

  it('is a fault where its neighbours agree and are minutes away', () => {
    expect(sum(usedByDay(withOne(100, 400)))).toBeLessThan(2);
    expect(sum(usedByDay(withOne(100, 1600)))).toBeLessThan(2);
  });

  it('is a draw that was filled up where they are far apart', () => {
    const hourly = [1000, 1000, 800, 1000, 1000].map((mm, index) => ({ at: index * HOUR, mm }));
    expect(sum(usedByDay(hourly))).toBe(200);
  });
});

describe('what a sensor shows of itself', () => {
  it.each([1, 5, 30, 60])(
    'is its noise, told every %s minutes, also while the level falls',
    (everyMinutes) => {
      const found = noiseOf(readingsOf(3, (day) => 3000 - 300 * day, { noise: 3, everyMinutes }));
      expect(found?.noise).toBeGreaterThan(2);
      expect(found?.noise).toBeLessThan(4);
    },
  );

  it('is its step, and not known of a few readings', () => {
    const found = noiseOf(
      readingsOf(1, (day) => 1000 - 200 * day, { noise: 4, step: 2.5, everyMinutes: 10 }),
    );
    expect(found?.step).toBeCloseTo(2.5, 6);
    expect(noiseOf(readingsOf(1, () => 1000, { noise: 4, everyMinutes: 120 }))).toBeNull();
  });
});
