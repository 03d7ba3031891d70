import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '@headrace/contract/rules/water-take/clock';
import type { MeterReader, MeterRun } from '@headrace/contract/rules/water-take/meter-days';
import { unpackedStretches } from '@headrace/contract/rules/water-take/packed-stretches';
import { processesOf } from '../../testing/processes-of.ts';
import { createReckoner, type Reckoner } from './reckoner.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const HALF_HOUR_MS = 30 * 60_000;
const meter: MeterReader = {
  metric: 'pulsesTotal',
  m3PerUnit: 0.1,
  isByVolume: false,
  wrapAt: null,
  zeroLpm: null,
};

/** A counter that goes on by 5 each half an hour, and stands still from noon on. */
function runOf(days: number): MeterRun {
  const numbers: number[] = [];
  for (let half = -48; half <= (days + 1) * 48; half += 1) {
    const day = Math.floor(half / 48);
    numbers.push(START + half * HALF_HOUR_MS, 1000 + day * 120 + Math.min(24, half - day * 48) * 5);
  }
  const cut = Math.floor(numbers.length / 6) * 2;
  const pages = [numbers.slice(0, cut), numbers.slice(cut)].map((page) => Float64Array.from(page));
  return { from: START, to: START + days * DAY_MS, pages, meter };
}
const own = () => processesOf(process.pid, 'reckon-program');

describe('what went through a meter', () => {
  let reckoner: Reckoner;
  beforeEach(() => {
    reckoner = createReckoner();
  });
  afterEach(() => reckoner.close());

  it('on many days is reckoned in a process of its own, the same as on few', async () => {
    const many = await reckoner.reckon(runOf(30));
    expect(own()).toHaveLength(1);
    expect(many.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_none, n) => START + n * DAY_MS));
    // 24 steps of 0.5 m³, and as many of none.
    for (const { stretches } of many) {
      const m3 = unpackedStretches(stretches).map((one) => one.m3);
      expect(m3).toEqual([...Array.from({ length: 24 }, () => 0.5), ...Array.from({ length: 24 }, () => 0)]);
    }
    expect(many.filter(({ isSettled }) => !isSettled)).toEqual([]);
    expect(many.slice(0, 5)).toEqual(await reckoner.reckon(runOf(5)));
  });

  it('on few days takes no process', async () => {
    expect(await reckoner.reckon(runOf(7))).toHaveLength(7);
    expect(own()).toEqual([]);
  });

  it('of several at once is reckoned one after the other, in one process', async () => {
    const found = await Promise.all([10, 20, 30].map((days) => reckoner.reckon(runOf(days))));
    expect(found.map(({ length }) => length)).toEqual([10, 20, 30]);
    expect(own()).toHaveLength(1);
  });

  it('says how its process ended where it was killed, goes on in another, and leaves none', async () => {
    const killed = expect(reckoner.reckon(runOf(2000))).rejects.toThrow(
      'A reckoning of volumes ended before it was made (SIGKILL).',
    );
    for (const pid of own()) process.kill(pid, 'SIGKILL');
    await killed;
    expect(await reckoner.reckon(runOf(10))).toHaveLength(10);
    await reckoner.close();
    expect(own()).toEqual([]);
    await expect(reckoner.reckon(runOf(10))).rejects.toMatchObject({ code: 'notReady' });
  });
});
