import { type CounterStep, counterStep } from '../counter.ts';
import { ALIVE_MS, type MeterReading } from './volume.ts';

/** So few counts over an end are believed wherever: of all restarts one in two thousand lies as near to the end of 16 bits. */
const FEW_COUNTS = 32;
/** How many times faster than beside it a meter may count over an end that is only guessed. */
const FASTER = 2;
const MINUTE = 60_000;

type Step = (a: MeterReading, b: MeterReading) => CounterStep;

/**
 * Readings, of those in order, whose step from the one before tells nothing of what flowed, though it looks as if it did:
 * - to and from one that both its neighbours contradict, as the counter goes on without it: it fell and came back at once, or jumped and
 *   fell back. Whether that was noise or a restart nobody knows;
 * - over the end of a register that is only guessed, where far more flowed than in the steps beside it: a restart near such an end looks
 *   the same.
 * Only those within an hour count as neighbours: what a day comes to hangs on nothing that lies far from it.
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
    const [before, after] = [near(readings[nth - 2], a), near(readings[nth + 1], b)];
    if (step(a, b).how !== 'rolledOver') {
      // It jumped to `a`, or fell to `b`.
      if (before && before.value <= b.value) doubted.add(a);
      if (after && after.value >= a.value) doubted.add(after);
    } else if (wrapAt === null && !isLikeBeside(step, { before, a, b, after })) doubted.add(b);
  }
  return doubted;
}

const near = (neighbour: MeterReading | undefined, reading: MeterReading): MeterReading | null =>
  neighbour && Math.abs(neighbour.at - reading.at) <= ALIVE_MS ? neighbour : null;

interface Beside {
  readonly before: MeterReading | null;
  readonly a: MeterReading;
  readonly b: MeterReading;
  readonly after: MeterReading | null;
}

function isLikeBeside(step: Step, { before, a, b, after }: Beside): boolean {
  const { gained } = step(a, b);
  const perMinute = Math.max(before ? rateOf(step, before, a) : 0, after ? rateOf(step, b, after) : 0);
  return gained <= Math.max(FEW_COUNTS, (FASTER * perMinute * (b.at - a.at)) / MINUTE);
}

/** Counts a minute; 0 where the counter fell. */
function rateOf(step: Step, a: MeterReading, b: MeterReading): number {
  const { gained, how } = step(a, b);
  return how === 'counted' ? gained / ((b.at - a.at) / MINUTE) : 0;
}
