import type { heldStates } from './valve-belief.ts';

/** What a unit said after its battery was changed. Times in epoch ms. */
export interface BatteryCheckFacts {
  readonly replacedAt: number;
  /** Its newest report; null: never. */
  readonly heardAt: number | null;
  readonly hasClockError: boolean;
  /** s that its clock is fast; null: it has not said. */
  readonly clock: number | null;
  readonly held: (typeof heldStates)[number];
  /** It is to hold entries. */
  readonly isScheduleWanted: boolean;
  /** It says the checksum of none: inhibited, or nothing held. */
  readonly isInhibited: boolean;
  /** A person wants it to water nothing. */
  readonly isStopWanted: boolean;
}

/**
 * kept: what it is to hold; lost: nothing though it is to hold something; other: another schedule; stopped: it is inhibited as
 * a person wants it, and what it holds can't be told; none: it is to hold nothing; unknown: it hasn't said.
 */
export type ScheduleAfter = 'kept' | 'lost' | 'other' | 'stopped' | 'none' | 'unknown';
export interface BatteryCheck {
  readonly schedule: ScheduleAfter;
  readonly clock: 'right' | 'wrong' | 'unknown';
}

/** Whether schedule and clock survived a new battery, which many units forget; null: it wasn't heard since. */
export function batteryCheck(facts: BatteryCheckFacts): BatteryCheck | null {
  const { heardAt, replacedAt, hasClockError, clock } = facts;
  if (heardAt === null || heardAt <= replacedAt) return null;
  return {
    schedule: scheduleAfter(facts),
    clock: clock === null ? 'unknown' : hasClockError ? 'wrong' : 'right',
  };
}

function scheduleAfter({
  held,
  isScheduleWanted,
  isInhibited,
  isStopWanted,
}: BatteryCheckFacts): ScheduleAfter {
  if (isInhibited && isStopWanted) return 'stopped';
  if (!isScheduleWanted) return 'none';
  if (isInhibited || held === 'nothing') return 'lost';
  if (held === 'unknown') return 'unknown';
  return held === 'wanted' ? 'kept' : 'other';
}
