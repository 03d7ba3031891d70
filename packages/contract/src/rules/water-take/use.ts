import { DAY_MS } from './clock.ts';

/** What was taken of what may be, m³. */
export interface TakeUse {
  readonly used: number;
  readonly most: number;
  /** Negative: so much more was taken. */
  readonly left: number;
  /** Until it is used at that rate, ms; null: nothing is taken, or none is left. */
  readonly lastsMs: number | null;
}

/** `taken` in `overMs` is the rate of now; null: it isn't known. */
export function useOf(
  used: number,
  most: number,
  rate: { readonly taken: number; readonly overMs: number } | null,
): TakeUse {
  const left = most - used;
  const lastsMs = rate && rate.taken > 0 && left > 0 ? (left / rate.taken) * rate.overMs : null;
  return { used, most, left, lastsMs };
}

/**
 * When seven days that roll have reached their limit at that rate, epoch ms; null: never, or it is reached already. With each new day
 * the oldest falls out.
 */
export function sevenDaysReachedAt(
  /** m³ of each of the six days before today and of today so far, the oldest first. */
  days: readonly number[],
  most: number,
  { perMs, at, dayEnd }: { readonly perMs: number; readonly at: number; readonly dayEnd: number },
): number | null {
  const window = [...days];
  let [now, end] = [at, dayEnd];
  // After seven days at one rate each day is like the one before.
  for (let day = 0; day <= window.length; day += 1) {
    const left = most - window.reduce((sum, m3) => sum + m3, 0);
    if (left <= 0 || perMs <= 0) return null;
    if (now + left / perMs <= end) return now + left / perMs;
    const today = window.pop() ?? 0;
    window.shift();
    window.push(today + perMs * (end - now), 0);
    [now, end] = [end, end + DAY_MS];
  }
  return null;
}
