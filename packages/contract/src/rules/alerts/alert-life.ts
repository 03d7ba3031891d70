import { type AlertClass, isWorse } from './alert-kinds.ts';

/**
 * One alert on one device, from true to false. Times in epoch ms. `since`: when what was said first was so; `clearSince`: when what
 * was said first was over.
 */
export interface Life {
  readonly state: 'pending' | 'firing' | 'answered' | 'clearing';
  readonly since: number;
  readonly firedAt: number | null;
  readonly answeredAt: number | null;
  readonly clearSince: number | null;
  readonly class: AlertClass;
  readonly value: number | null;
  /** The value that was furthest from what is usual. */
  readonly peak: number | null;
  /** How often it was over and came back within its clear hold. */
  readonly cameBack: number;
}

/** What is so now: `in` the condition, `out` where it is over, `between` the two; `unknown`: nothing good was said lately. */
export type Side = 'in' | 'between' | 'out' | 'unknown';

export interface Seen {
  readonly side: Side;
  /** Of the word that says so; our own clock's where time itself says it. */
  readonly at: number;
  readonly value: number | null;
  readonly class: AlertClass;
}

export interface LifeRule {
  readonly holdMs: number;
  readonly clearMs: number;
  /** Larger values are worse. */
  readonly isUpward: boolean;
  readonly isMoment: boolean;
}

export const lifeSteps = ['fired', 'got worse', 'asked again', 'came back', 'ended'] as const;
export type LifeStep = (typeof lifeSteps)[number];

export interface Lived {
  /** Null: there is none any more. */
  readonly life: Life | null;
  readonly steps: readonly LifeStep[];
  /** Of what ended: when it was over. */
  readonly endedAt: number | null;
}

const HOUR_MS = 3_600_000;
/** Who is "on it" is asked again after so long. */
const ASKED_AGAIN_MS: Readonly<Record<AlertClass, number>> = {
  urgent: 2 * HOUR_MS,
  important: 12 * HOUR_MS,
  info: 12 * HOUR_MS,
};

const nothing: Lived = { life: null, steps: [], endedAt: null };
const stays = (life: Life, ...steps: LifeStep[]): Lived => ({ life, steps, endedAt: null });

/**
 * What becomes of an alert on a device by what is seen now. Time is that of what was said; `now` only moves holds. What is unknown
 * never changes a state, nor does what lies between value and end value once it was told.
 *
 * | state | seen | next |
 * |---|---|---|
 * | none | in | pending, or firing without a hold; a moment fires and ends |
 * | pending | not in | none |
 * | pending | in, and the hold is over | firing |
 * | firing, answered | out | clearing, or ended without a clear hold |
 * | clearing | in | as it was before |
 * | clearing | not in, and the clear hold is over | ended |
 * | answered | in, and nobody ended it for long | firing |
 * | any that was told | in, by a worse class | firing |
 */
export function lived(before: Life | null, seen: Seen, rule: LifeRule, now: number): Lived {
  if (before === null) return seen.side === 'in' ? begun(seen, rule, now) : nothing;
  const life = withValue(before, seen, rule);
  switch (life.state) {
    case 'pending':
      return waits(life, seen, rule, now);
    case 'clearing':
      return clears(life, seen, rule, now);
    case 'firing':
    case 'answered':
      if (seen.side === 'out') return over(life, seen, rule, now);
      return seen.side === 'in' ? goesOn(life, seen, now) : stays(life);
    default:
      return life.state satisfies never;
  }
}

/** When it has to be looked at again if nothing is said until then; null: never by itself. */
export function dueAt(
  { state, since, clearSince, answeredAt, class: of }: Life,
  rule: LifeRule,
): number | null {
  if (state === 'pending') return since + rule.holdMs;
  if (state === 'clearing') return (clearSince ?? since) + rule.clearMs;
  return state === 'answered' ? (answeredAt ?? since) + ASKED_AGAIN_MS[of] : null;
}

/** Until when who is on it is left alone, epoch ms. */
export const answeredUntil = (of: AlertClass, now: number): number => now + ASKED_AGAIN_MS[of];

/** Somebody is on it. What is over, or not told yet, stays as it is. */
export const answered = (life: Life, now: number): Life =>
  life.state === 'firing' ? { ...life, state: 'answered', answeredAt: now } : life;

function begun(seen: Seen, rule: LifeRule, now: number): Lived {
  // A device's clock may be ahead of ours: it can't have begun later than now.
  const since = Math.min(seen.at, now);
  const { value, class: of } = seen;
  const life: Life = {
    state: 'pending',
    since,
    firedAt: null,
    answeredAt: null,
    clearSince: null,
    class: of,
    value,
    peak: value,
    cameBack: 0,
  };
  if (rule.isMoment)
    return { life: { ...life, state: 'firing', firedAt: now }, steps: ['fired', 'ended'], endedAt: since };
  return waits(life, seen, rule, now);
}

function waits(life: Life, seen: Seen, rule: LifeRule, now: number): Lived {
  if (seen.side === 'unknown') return stays(life);
  if (seen.side !== 'in') return nothing;
  if (now < life.since + rule.holdMs) return stays({ ...life, class: seen.class });
  return stays({ ...life, state: 'firing', firedAt: now, class: seen.class }, 'fired');
}

function goesOn(life: Life, seen: Seen, now: number): Lived {
  if (isWorse(seen.class, life.class))
    return stays({ ...life, state: 'firing', answeredAt: null, class: seen.class }, 'got worse');
  const isLong = life.state === 'answered' && now >= (life.answeredAt ?? now) + ASKED_AGAIN_MS[life.class];
  return isLong ? stays({ ...life, state: 'firing', answeredAt: null }, 'asked again') : stays(life);
}

function over(life: Life, seen: Seen, rule: LifeRule, now: number): Lived {
  const clearSince = Math.min(Math.max(seen.at, life.since), now);
  return clears({ ...life, state: 'clearing', clearSince }, seen, rule, now);
}

function clears(life: Life, seen: Seen, rule: LifeRule, now: number): Lived {
  const clearSince = life.clearSince ?? now;
  if (seen.side === 'in') {
    const state = life.answeredAt === null ? 'firing' : 'answered';
    const back = stays({ ...life, state, clearSince: null, cameBack: life.cameBack + 1 }, 'came back');
    const more = goesOn(back.life as Life, seen, now);
    return { ...more, steps: [...back.steps, ...more.steps] };
  }
  if (now < clearSince + rule.clearMs) return stays(life);
  return { life, steps: ['ended'], endedAt: clearSince };
}

function withValue(life: Life, { side, value }: Seen, { isUpward }: LifeRule): Life {
  if (value === null || side === 'unknown') return life;
  const peak =
    life.peak === null ? value : isUpward ? Math.max(life.peak, value) : Math.min(life.peak, value);
  return { ...life, value, peak };
}
