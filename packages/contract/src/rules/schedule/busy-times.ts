import type { Turn, TurnSign } from './turns.ts';

/** A time in which sprinklers of a line water, all known of to the same degree. Epoch ms. */
export interface BusyTime {
  readonly startAt: number;
  readonly endAt: number;
  readonly sign: TurnSign;
  readonly turns: number;
}

/** When a line is busy, by the turns of its units; pauses up to `bridgeMs`, too short to be seen, are left out. Oldest first. */
export function busyTimes(
  turns: readonly Pick<Turn, 'startAt' | 'endAt' | 'sign'>[],
  bridgeMs: number,
): readonly BusyTime[] {
  const found: { startAt: number; endAt: number; sign: TurnSign; turns: number }[] = [];
  const lastOf = new Map<TurnSign, (typeof found)[number]>();
  for (const { startAt, endAt, sign } of turns.toSorted((one, other) => one.startAt - other.startAt)) {
    const last = lastOf.get(sign);
    if (last && startAt - last.endAt <= bridgeMs) {
      last.endAt = Math.max(last.endAt, endAt);
      last.turns += 1;
      continue;
    }
    const next = { startAt, endAt, sign, turns: 1 };
    found.push(next);
    lastOf.set(sign, next);
  }
  return found;
}
