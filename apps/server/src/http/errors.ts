import { type ErrorCode, errorStatus, NOT_FOUND_TEXT, FORBIDDEN_TEXT } from '@headrace/contract/errors';
import { durationText } from '@headrace/contract/rules/contact';
import { DATABASE_AWAY_TEXT } from '@headrace/contract/texts';
import type { DatabaseFault } from '../db/database-fault.ts';

/** A failure that the caller is told about. Anything else becomes one neutral 500. */
export class ApiFailure extends Error {
  constructor(code: Exclude<ErrorCode, 'tooMany'>, message: string, field?: string, current?: unknown);
  /** What is too much for now says when it no longer is. */
  constructor(code: 'tooMany', message: string, field: undefined, current: undefined, retryAfterS: number);
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field?: string,
    /** The record as it is now, where somebody else was quicker. */
    readonly current?: unknown,
    /** After how many seconds the same call may work. */
    readonly retryAfterS?: number,
  ) {
    super(message);
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

export const invalid = (message: string, field?: string) => new ApiFailure('invalid', message, field);
export const notFound = (message: string = NOT_FOUND_TEXT) => new ApiFailure('notFound', message);
export const forbidden = (message: string = FORBIDDEN_TEXT) => new ApiFailure('forbidden', message);
export const conflict = (message: string, field?: string) => new ApiFailure('conflict', message, field);
/** Two people changed the same thing: nothing is written, and the caller gets the record as it is. */
export const stale = (current: unknown) =>
  new ApiFailure(
    'conflict',
    'Somebody else changed this meanwhile. Please compare and save again.',
    'version',
    current,
  );
export const unauthenticated = () => new ApiFailure('unauthenticated', 'Please sign in.');
const machineTexts = {
  away: ['databaseAway', `${DATABASE_AWAY_TEXT} Please try again soon.`],
  busy: ['busy', 'The server was too busy to answer in time. Please try again soon.'],
  full: ['diskFull', "The server's disk is full: nothing can be saved until its operator makes room."],
} as const satisfies Record<DatabaseFault, readonly [ErrorCode, string]>;
/** Not the caller's fault, and it passes. */
export const machineFailure = (fault: DatabaseFault): ApiFailure => {
  const [code, sentence] = machineTexts[fault];
  return new ApiFailure(code, sentence);
};
/** Too much for now. `retryAfterMs`: how long it is of no use to ask again, also sent as Retry-After; `tryAgain` says it in words. */
export const tooMany = (message: string, retryAfterMs: number) =>
  new ApiFailure('tooMany', message, undefined, undefined, Math.max(1, Math.ceil(retryAfterMs / 1000)));
/** "Please try again in 3 hours.", never too early: seconds under two minutes, else minutes and more. */
export function tryAgain(inMs: number): string {
  const seconds = Math.max(1, Math.ceil(inMs / 1000));
  const time = seconds === 1 ? 'a second' : `${seconds} seconds`;
  return `Please try again in ${seconds < 120 ? time : durationText(Math.ceil(seconds / 60) * 60_000)}.`;
}

/** The whole reply is this text, with the status given: POST /account/auth. */
export class TextFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
