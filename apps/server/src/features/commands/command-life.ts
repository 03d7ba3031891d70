import type { CommandState, UnitState } from '@headrace/contract/command-types';
import { liveStates } from '../../db/under-way.ts';

/** What a gateway answers for one unit. */
export type Answer = 'accepted' | 'progress' | 'done' | 'failed';

const isForGood: ReadonlySet<UnitState> = new Set(['done', 'skipped']);

/**
 * The state of a unit after an answer; null when the answer changes nothing. What a device says it did is true even when
 * we had given up on it or taken it back, and when it said before that it had failed: it may have tried again, or heard
 * the unit late. What was done stays done, whatever is said later.
 */
export function afterAnswer(
  state: UnitState,
  answer: Answer,
  said: { at: Date; expiresAt: Date },
): UnitState | null {
  if (isForGood.has(state)) return null;
  if (answer === 'done') return 'done';
  // What was taken back and then not done is as it was wanted.
  if (state === 'failed' || (state === 'cancelled' && answer === 'failed')) return null;
  if (answer === 'failed') return 'failed';
  if (state === 'queued' || state === 'sent') return 'accepted';
  return state === 'expired' && said.at < said.expiresAt ? 'accepted' : null;
}

export type UnitCounts = Readonly<Partial<Record<UnitState, number>>>;

const sumOf = (counts: UnitCounts, states: readonly UnitState[]) =>
  states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);

export const totalOf = (counts: UnitCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0);
export const doneOf = (counts: UnitCounts) => sumOf(counts, ['done', 'skipped']);
/** Those that held it before; of the skipped, so many were left out instead. */
export const hadItOf = ({ skipped = 0 }: UnitCounts, heldBack: number) => skipped - heldBack;
export const isLive = (counts: UnitCounts) => sumOf(counts, liveStates) > 0;

/**
 * A command is as far as its units are: under way until the last of them has an end, and then as good as the worst. `heldBack`:
 * how many of the skipped must not water; a command that did nothing but leave those out has failed.
 */
export function commandStateOf(counts: UnitCounts, heldBack = 0): CommandState {
  if (isLive(counts)) {
    if (sumOf(counts, ['done', 'skipped', 'failed', 'expired']) > 0) return 'progress';
    return (['accepted', 'sent', 'queued'] as const).find((state) => counts[state]) ?? 'queued';
  }
  if (heldBack > 0 && heldBack === totalOf(counts)) return 'failed';
  return (['failed', 'expired', 'cancelled'] as const).find((state) => counts[state]) ?? 'done';
}

/**
 * Why a unit's time ran out, by how far the command had come. `isGivenOut`: it was on its way to the broker, which may or
 * may not have taken it. `said`: what the gateway said of the command as a whole; `isOpening`: it was to open a valve;
 * `hasBegunAnew`: it was to close one, which the unit's own schedule should have opened again since. Never says that nothing was done where
 * nobody knows.
 */
export function expiryNote(
  state: UnitState,
  isGivenOut: boolean,
  { said = '', isOpening = false, isUninhibit = false, hasBegunAnew = false }: ExpiryFacts = {},
): string {
  const note = said
    ? `${said} This unit did not say so in time: it is not known whether it was carried out.`
    : unansweredNote(state, isGivenOut, isOpening);
  if (isUninhibit && state === 'queued' && !isGivenOut) return `${note} If it was inhibited, it still is.`;
  return hasBegunAnew ? `${note} Its schedule should have begun anew since.` : note;
}

interface ExpiryFacts {
  readonly said?: string;
  readonly isOpening?: boolean;
  readonly isUninhibit?: boolean;
  readonly hasBegunAnew?: boolean;
}

function unansweredNote(state: UnitState, isGivenOut: boolean, isOpening: boolean): string {
  if (state === 'accepted') return 'The gateway took it, but no result came in time.';
  if (state !== 'queued' || isGivenOut)
    return 'No answer came in time: it is not known whether it was carried out.';
  return isOpening
    ? 'Not opened: its turn did not come in time.'
    : 'Not sent: its time ran out before the gateway could take it.';
}
