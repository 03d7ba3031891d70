import { type ErrorCode, errorStatus, NOT_FOUND_TEXT, FORBIDDEN_TEXT } from '@headrace/contract/errors';

/** A failure that the caller is told about. Anything else becomes one neutral 500. */
export class ApiFailure extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field?: string,
    /** The record as it is now, where somebody else was quicker. */
    readonly current?: unknown,
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
export const tooMany = (message: string) => new ApiFailure('tooMany', message);

/** The whole reply is this text, with the status given: POST /account/auth. */
export class TextFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
