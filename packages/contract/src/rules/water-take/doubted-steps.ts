import { type CounterStep, counterStep } from '../counter.ts';
import { ALIVE_MS, type MeterReading } from './volume.ts';

/** So few counts over an end are believed wherever: of all restarts one in two thousand lies as near to the end of 16 bits. */
const FEW_COUNTS = 32;
/** How many times faster than beside it a meter may count over an end. */
const FASTER = 2;
const MINUTE = 60_000;

type Step = (a: MeterReading, b: MeterReading) => CounterStep;

/**
 * Readings, of those in order, whose step from the one before tells nothing of what flowed, though it looks as if it did:
 * - to, among and from those that the readings around them contradict, as the counter goes on without them: it fell and came back, or
 *   jumped and fell back, however many readings there are in between. Whether that was noise or a restart nobody knows;
 * - over the end of a register, where that is only guessed and far more flowed than in the steps beside it: a restart near such an end
 *   looks the same.
 * Only what lies within an hour counts: what a day comes to hangs on nothing that lies far from it.
 */
export function doubtedSteps(
  readings: readonly MeterReading[],
  wrapAt: number | null,
): ReadonlySet<MeterReading> {
  const step: Step = (a, b) => counterStep(a.value, b.value, { wrapAt });
  const doubted = new Set<MeterReading>();
  for (const [nth, b] of readings.entries()) {
    const a = readings[nth - 1];
    if (!a || b.value >= a.value) continue;
    const isOver = step(a, b).how === 'rolledOver';
    if (isOver && wrapAt === null && !isLikeBeside(step, readings, [nth - 1, nth])) doubted.add(b);
    const around = aroundFall(readings, nth);
    // A register that ends may have gone round, where it counts as fast all the time.
    if (!around || (isOver && isLikeBeside(step, readings, around))) continue;
    for (const one of readings.slice(around[0] + 1, around[1] + 1)) doubted.add(one);
  }
  return doubted;
}

type Places = readonly [first: number, last: number];

/**
 * Of a counter that fell to a reading (its place): the nearest two around it that are in order, while each between them shows less than
 * the first of them or more than the last; null: there are none within an hour.
 */
function aroundFall(readings: readonly MeterReading[], nth: number): Places | null {
  const until = (readings[nth]?.at ?? NaN) + ALIVE_MS;
  let most = -Infinity;
  for (let place = nth; (readings[place]?.at ?? NaN) <= until; place += 1)
    most = Math.max(most, readings[place]?.value ?? most);
  const since = (readings[nth - 1]?.at ?? NaN) - ALIVE_MS;
  let first = nth - 1;
  while ((readings[first]?.at ?? NaN) >= since && (readings[first]?.value ?? NaN) > most) first -= 1;
  const one = readings[first];
  if (!one || one.at < since) return null;
  let last = nth;
  while ((readings[last]?.value ?? Infinity) < one.value) last += 1;
  return [first, last];
}

const near = (neighbour: MeterReading | undefined, reading: MeterReading): MeterReading | null =>
  neighbour && Math.abs(neighbour.at - reading.at) <= ALIVE_MS ? neighbour : null;

/** Whether from one reading to another (their places) it counted at most twice as fast as just before or just after, or hardly at all. */
function isLikeBeside(step: Step, readings: readonly MeterReading[], [first, last]: Places): boolean {
  const [a, b] = [readings[first], readings[last]];
  if (!a || !b) return false;
  const [before, after] = [near(readings[first - 1], a), near(readings[last + 1], b)];
  const perMinute = Math.max(before ? rateOf(step, before, a) : 0, after ? rateOf(step, b, after) : 0);
  let gained = 0;
  for (let nth = first + 1; nth <= last; nth += 1) {
    const [from, to] = [readings[nth - 1], readings[nth]];
    if (from && to) gained += step(from, to).gained;
  }
  return gained <= Math.max(FEW_COUNTS, (FASTER * perMinute * (b.at - a.at)) / MINUTE);
}

/** Counts a minute; 0 where the counter fell. */
function rateOf(step: Step, a: MeterReading, b: MeterReading): number {
  const { gained, how } = step(a, b);
  return how === 'counted' ? gained / ((b.at - a.at) / MINUTE) : 0;
}
