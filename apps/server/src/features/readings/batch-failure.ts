/**
 * What a failed batch calls for. Only what the data itself causes may lead to a dead letter; whatever time, a restart or an
 * operator can mend is tried again for ever, since nothing that was taken may be lost.
 */
export type Remedy =
  /** The database can't be reached or can't work now. */
  | 'wait'
  /** Too much at once. */
  | 'halve'
  /** Something in it can't be stored: find it by halving, and set it aside. */
  | 'isolate';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DATA_CLASSES = ['21', '22', '23', '54'];
const QUERY_CANCELED = '57014';

export function remedyFor(error: unknown): Remedy {
  const code = codeOf(error);
  if (code === QUERY_CANCELED) return 'halve';
  if (code !== null)
    return /^[0-9A-Z]{5}$/.test(code) && DATA_CLASSES.includes(code.slice(0, 2)) ? 'isolate' : 'wait';
  // Our own mistakes about one message must not stop all others; the driver's connection errors are plain Errors.
  return error instanceof TypeError || error instanceof RangeError ? 'isolate' : 'wait';
}

function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}
