import { isValidFlow } from '../flow.ts';
import { counterStep } from '../counter.ts';
import { doubtedSteps } from './doubted-steps.ts';
import {
  ALIVE_MS,
  inOrder,
  type MeterReading,
  SHARED_MS,
  stateBetween,
  STEP_SPREAD_MS,
  type VolumeStretch,
} from './volume.ts';

/** How a meter counts. */
export interface CounterSettings {
  /** m³ of one count. */
  readonly m3PerUnit: number;
  /** Where its register begins anew; null: it isn't known. */
  readonly wrapAt?: number | null;
  /** It writes when so much has gone through, not by the clock, and says in between that it is alive. */
  readonly isByVolume?: boolean;
}

const MINUTE = 60_000;

/** What went through a meter with a running total, between each two of its readings, one stretch after the other. */
export function counterVolumes(
  readings: readonly MeterReading[],
  settings: CounterSettings,
): Iterable<VolumeStretch> {
  const ordered = inOrder(counted(readings));
  const doubted = doubtedSteps(ordered, settings.wrapAt ?? null);
  const counter = { ...settings, doubted };
  return settings.isByVolume ? stepsOf(ordered, counter) : pairs(ordered, (a, b) => between(a, b, counter));
}

/** No counter shows less than nothing: such a reading is none. */
const counted = (readings: readonly MeterReading[]): readonly MeterReading[] =>
  readings.every(({ value }) => value >= 0) ? readings : readings.filter(({ value }) => value >= 0);

interface Counter extends CounterSettings {
  /** Whose step from the reading before tells nothing. */
  readonly doubted: ReadonlySet<MeterReading>;
}

/** A restart, a correction, a doubted step and what no pipe can carry (another meter's counter) leave unknown what flowed. */
function between(a: MeterReading, b: MeterReading, counter: Counter): VolumeStretch {
  const { m3PerUnit, wrapAt = null, doubted } = counter;
  const { gained, how } = counterStep(a.value, b.value, { wrapAt });
  const m3 = gained * m3PerUnit;
  const minutes = Math.max(1, (b.at - a.at) / MINUTE);
  const isKnown =
    (how === 'counted' || how === 'rolledOver') && !doubted.has(b) && isValidFlow((m3 * 1000) / minutes);
  return {
    from: a.at,
    to: b.at,
    m3: isKnown ? m3 : null,
    state: isKnown ? stateBetween(a.at, b.at) : 'missing',
    before: a.value * m3PerUnit,
    after: b.value * m3PerUnit,
  };
}

/**
 * A meter that logs by volume: a step lies between it and the step before, however often the same total was said meanwhile, and
 * is exact to one step. Where it said nothing for over an hour, only the total is known. Since its last step a part of the next one
 * may have gone through: of the time in which that one will lie nothing is said yet.
 */
function* stepsOf(readings: readonly MeterReading[], counter: Counter): Generator<VolumeStretch, void> {
  /** All say the same total, the first since when it holds. */
  let same: MeterReading[] = [];
  function* settle(until: MeterReading | undefined): Generator<VolumeStretch, void> {
    const [first] = same;
    if (first && until && until.at > first.at)
      yield { ...between(first, { ...until, value: first.value }, counter), state: 'measured' };
  }
  const beginsBefore = (at: number) => same.findLast((one) => one.at <= at - STEP_SPREAD_MS);
  for (const reading of readings) {
    const [first, last] = [same[0], same.at(-1)];
    if (!first || !last) {
      same = [reading];
      continue;
    }
    const step = between(last, reading, counter);
    if (step.m3 !== null && reading.at - last.at <= ALIVE_MS) {
      if (reading.value === last.value) {
        same.push(reading);
        const settled = reading.at - first.at > 2 * STEP_SPREAD_MS ? beginsBefore(reading.at) : undefined;
        if (settled) {
          yield* settle(settled);
          same = same.slice(same.indexOf(settled));
        }
        continue;
      }
      const begins = beginsBefore(reading.at) ?? first;
      yield* settle(begins);
      yield { ...between(begins, reading, counter), m3: step.m3, state: 'measured' };
    } else {
      yield* settle(last);
      yield { ...step, state: 'missing' };
    }
    same = [reading];
  }
  yield* settle(beginsBefore(same.at(-1)?.at ?? 0));
}

/** From a flow that was read now and then, L/min: an estimate, and none over more than half an hour. */
export const flowVolumes = (readings: readonly MeterReading[]): Iterable<VolumeStretch> =>
  pairs(inOrder(readings), (a, b) =>
    estimate(a, b, (((a.value + b.value) / 2) * (b.at - a.at)) / MINUTE / 1000),
  );

/** From amounts since the message before: of a lost message nothing would show. */
export const amountVolumes = (
  readings: readonly MeterReading[],
  m3PerUnit: number,
): Iterable<VolumeStretch> => pairs(inOrder(readings), (a, b) => estimate(a, b, b.value * m3PerUnit));

function estimate(a: MeterReading, b: MeterReading, m3: number): VolumeStretch {
  const isKnown = b.at - a.at <= SHARED_MS && m3 >= 0;
  return {
    from: a.at,
    to: b.at,
    m3: isKnown ? m3 : null,
    state: isKnown ? 'estimated' : 'missing',
    before: null,
    after: null,
  };
}

function* pairs(
  readings: readonly MeterReading[],
  of: (a: MeterReading, b: MeterReading) => VolumeStretch,
): Generator<VolumeStretch, void> {
  let before: MeterReading | undefined;
  for (const reading of readings) {
    if (before) yield of(before, reading);
    before = reading;
  }
}
