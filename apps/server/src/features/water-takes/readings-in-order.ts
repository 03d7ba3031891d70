import type { MeterReading } from '@headrace/contract/rules/water-take/volume';

/** Runs of readings as one: what a run holds of the one before it counts once. One at a time: a year of a meter has more than a call can be given. */
export function readingsInOrder(runs: Iterable<readonly MeterReading[]>): MeterReading[] {
  const found: MeterReading[] = [];
  for (const run of runs)
    for (const reading of run) if (reading.at > (found.at(-1)?.at ?? -Infinity)) found.push(reading);
  return found;
}
