/**
 * Readings, oldest first, as numbers: of each its time, epoch ms, and its value; NaN is one that the device called invalid. A thread hands
 * them to another without copying them.
 */
export type ReadingNumbers = Float64Array<ArrayBuffer>;
export const NUMBERS_A_READING = 2;

/** One after the other. */
export function* readingsOf(numbers: ReadingNumbers): Generator<{ at: number; value: number }, void> {
  for (let nth = 0; nth < numbers.length; nth += NUMBERS_A_READING)
    yield { at: numbers[nth] ?? NaN, value: numbers[nth + 1] ?? NaN };
}
