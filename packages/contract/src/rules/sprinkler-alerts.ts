import { type CommandType, commandTypes } from '../command-types.ts';
import type { Belief } from './valve-belief.ts';

/** What a person should know of a sprinkler, in the order in which it is shown. spec 2 §8 */
export const sprinklerAlertKinds = [
  'openOverdue',
  'outOfContact',
  'battery',
  'clock',
  'schedule',
  'inhibited',
] as const;
export type SprinklerAlertKind = (typeof sprinklerAlertKinds)[number];

/** The command that mends it; null: none does. */
const remedies: Record<SprinklerAlertKind, CommandType | null> = {
  openOverdue: commandTypes.ValveOff,
  outOfContact: commandTypes.IpcUpdate,
  battery: null,
  clock: commandTypes.IncTimeSet,
  schedule: commandTypes.UpdateSchedule,
  inhibited: commandTypes.Uninhibit,
};

/** What is known of a sprinkler. Times in epoch ms; null: not known. */
export interface AlertFacts {
  readonly isOutOfContact: boolean;
  readonly hasBatteryError: boolean;
  readonly hasClockError: boolean;
  readonly hasScheduleError: boolean;
  /** The schedule that it is to hold is on its way to it: that it says another one is no error until then (rules/condition). */
  readonly isScheduleComing: boolean;
  readonly isInhibited: boolean;
  /** It says the same where it holds nothing and is to (rules/no-schedule): nobody stopped it. */
  readonly hasNoSchedule: boolean;
  readonly belief: Pick<Belief, 'state' | 'until'>;
  /** Since when it is out of contact. */
  readonly silentSince: number | null;
  /** Since when it holds what it does, and is to hold what it is to. */
  readonly heldSince: number | null;
  readonly wantedSince: number | null;
  readonly inhibitedSince: number | null;
}

export interface SprinklerAlertOf {
  readonly kind: SprinklerAlertKind;
  readonly since: number | null;
  readonly remedy: CommandType | null;
}

/** What is wrong with a sprinkler, since when as far as that is known, and the command that mends it. */
export function sprinklerAlerts(facts: AlertFacts): SprinklerAlertOf[] {
  const since: Record<SprinklerAlertKind, number | null | false> = {
    // Since its end, which is known where it is overdue.
    openOverdue: facts.belief.state === 'openOverdue' && facts.belief.until,
    outOfContact: facts.isOutOfContact && facts.silentSince,
    // The newest reading doesn't say which was the first that was as bad.
    battery: facts.hasBatteryError && null,
    clock: facts.hasClockError && null,
    schedule: facts.hasScheduleError && !facts.isScheduleComing && differSince(facts),
    inhibited: facts.isInhibited && !facts.hasNoSchedule && facts.inhibitedSince,
  };
  return sprinklerAlertKinds.flatMap((kind) => {
    const at = since[kind];
    return at === false ? [] : [{ kind, since: at, remedy: remedies[kind] }];
  });
}

/** Both have been what they are since the later of them. */
const differSince = ({ heldSince, wantedSince }: AlertFacts): number | null =>
  heldSince === null || wantedSince === null ? null : Math.max(heldSince, wantedSince);
