import { volumeStates, type VolumeStretch } from './volume.ts';

/** Stretches as numbers, as they are kept with a day and handed to a thread: from, to, m³, state, before and after of each; NaN is null. */
export type StretchNumbers = Float64Array<ArrayBuffer>;
const NUMBERS_A_STRETCH = 6;

/** Of those that are a part of a gap the gap isn't in them: `joinedParts` finds it again. */
export function packedStretches(stretches: readonly VolumeStretch[]): StretchNumbers {
  const numbers = new Float64Array(stretches.length * NUMBERS_A_STRETCH);
  let at = 0;
  // Number by number: a list of each stretch's would live for a moment, 70,000 times.
  for (const { from, to, m3, state, before, after } of stretches) {
    numbers[at] = from;
    numbers[at + 1] = to;
    numbers[at + 2] = m3 ?? NaN;
    numbers[at + 3] = volumeStates.indexOf(state);
    numbers[at + 4] = before ?? NaN;
    numbers[at + 5] = after ?? NaN;
    at += NUMBERS_A_STRETCH;
  }
  return numbers;
}

export const unpackedStretches = (numbers: StretchNumbers): VolumeStretch[] =>
  Array.from({ length: numbers.length / NUMBERS_A_STRETCH }, (_none, index) => {
    const at = index * NUMBERS_A_STRETCH;
    return {
      from: numbers[at] ?? NaN,
      to: numbers[at + 1] ?? NaN,
      m3: orNull(numbers[at + 2]),
      state: volumeStates[numbers[at + 3] ?? NaN] ?? 'missing',
      before: orNull(numbers[at + 4]),
      after: orNull(numbers[at + 5]),
    };
  });

/** When the last of them ends, epoch ms; null: there is none. */
export const lastEnd = (days: readonly StretchNumbers[]): number | null =>
  days.findLast(({ length }) => length > 0)?.at(1 - NUMBERS_A_STRETCH) ?? null;

const orNull = (value: number | undefined = NaN) => (Number.isNaN(value) ? null : value);
