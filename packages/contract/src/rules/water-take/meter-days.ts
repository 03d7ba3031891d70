import type { TakeMetric } from '../../water-takes.ts';
import { flowAbove } from '../flow.ts';
import { eachPiece, type Pieces } from '../pieces.ts';
import { type ReadingNumbers, readingsOf } from '../reading-numbers.ts';
import { DAY_MS, utcDay } from './clock.ts';
import { dayPart } from './day-parts.ts';
import { amountVolumes, type CounterSettings, counterVolumes, flowVolumes } from './meter-volumes.ts';
import { packedStretches, type StretchNumbers } from './packed-stretches.ts';
import { ALIVE_MS, type MeterReading, type VolumeStretch } from './volume.ts';

/** Days before and after one whose readings may change it. */
export const BEFORE = 1;
export const AFTER = 2;

/** How a meter is read. */
export interface MeterReader extends CounterSettings {
  readonly metric: TakeMetric;
  /** Where an analog meter's zero lies, L/min; null: it is none. */
  readonly zeroLpm: number | null;
}

/** Days that follow each other, from the start of one in UTC to that of another (epoch ms), and what a meter said in them and beside them, oldest first. */
export interface MeterRun {
  readonly from: number;
  readonly to: number;
  readonly pages: readonly ReadingNumbers[];
  readonly meter: MeterReader;
}

/** A day in UTC, by its start, and what went through a meter on it. */
export interface ReckonedDay {
  readonly day: number;
  readonly stretches: StretchNumbers;
  /** Nothing changes it any more but a late reading, or another setting. */
  readonly isSettled: boolean;
}

/** What went through a meter, by days; those of which nothing is said aren't among them. */
export function* reckonedDays({ pages, meter, ...run }: MeterRun): Pieces<ReckonedDay[]> {
  const readings = pages.flatMap((page) => [...readingsOf(page)]);
  const stretches = yield* eachPiece(stretchesOf(readings, meter));
  return yield* eachPiece(daysOf(stretches, run));
}

function stretchesOf(readings: readonly MeterReading[], meter: MeterReader): Iterable<VolumeStretch> {
  const { metric, m3PerUnit, zeroLpm } = meter;
  if (metric === 'flowLpm')
    return flowVolumes(readings.map(({ at, value }) => ({ at, value: flowAbove(zeroLpm, value) })));
  if (metric === 'pulses' || metric === 'volumeL') return amountVolumes(readings, m3PerUnit);
  return counterVolumes(readings, meter);
}

type Run = Pick<MeterRun, 'from' | 'to'>;

function* daysOf(stretches: readonly VolumeStretch[], run: Run): Generator<ReckonedDay, void> {
  for (const [day, touching] of byDays(stretches, run)) {
    const parts = touching.flatMap((one) => dayPart(one, day, day + DAY_MS) ?? []);
    yield { day, stretches: packedStretches(parts), isSettled: isSettled(touching, day) };
  }
}

/** The stretches that touch each day of a range, whole. */
function byDays(stretches: readonly VolumeStretch[], { from, to }: Run): Map<number, VolumeStretch[]> {
  const found = new Map<number, VolumeStretch[]>();
  for (const stretch of stretches) {
    const last = Math.min(to, stretch.to);
    for (let day = utcDay(Math.max(from, stretch.from)); day < last; day += DAY_MS) {
      const own = found.get(day);
      if (own) own.push(stretch);
      else found.set(day, [stretch]);
    }
  }
  return found;
}

/** Whether stretches make up a day whole, and neither they nor the readings next to them, by which they are doubted, lie beyond the days around it. */
function isSettled(stretches: readonly VolumeStretch[], day: number): boolean {
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (!first || !last || first.from > day || last.to < day + DAY_MS) return false;
  const since = day - BEFORE * DAY_MS + ALIVE_MS;
  return stretches.every(({ from, to }) => from >= since && to < day + AFTER * DAY_MS);
}
