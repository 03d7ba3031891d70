/** What went wrong with our own PostgreSQL, for callers that act on it. The message is for the person who runs the farm server. */
export type EmbeddedPostgresErrorCode =
  /** Another Headrace server, or a PostgreSQL that we may not stop, uses the data folder. */
  | 'in-use'
  /** The cluster was made by another major version. */
  | 'wrong-version'
  | 'disk-full'
  /** No PostgreSQL for this machine, or its files are incomplete. */
  | 'no-binary'
  /** We are root and found no way to run PostgreSQL as anybody else. */
  | 'root'
  /** The data folder can't be read or written, or isn't what we made. */
  | 'unreadable'
  | 'start-failed';

/** One sentence: what happened and the remedy. `detail` holds PostgreSQL's last lines, for the log. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  constructor(
    readonly code: EmbeddedPostgresErrorCode,
    message: string,
    readonly detail: string = '',
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
