/** Why something could not be read or written now, where it lies with the database and not with what was asked. */
export type DatabaseFault =
  /** It can't be reached, or gives no answer. */
  | 'away'
  /** It answers, and this took too long or found no connection free. */
  | 'busy'
  /** It has no room left on its disk. */
  | 'full';

/** The words of pg and pg-pool, which have no codes. */
export const NO_CONNECTION_FREE = 'timeout exceeded when trying to connect';
const AWAY_WORDS =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html; before the classes they belong to. */
const CODES: Record<string, DatabaseFault> = {
  '53100': 'full',
  '53300': 'busy', // Too many connections.
  '57014': 'busy', // Statement timeout.
  '55P03': 'busy', // Lock timeout.
  '25P03': 'busy', // Idle in a transaction for too long.
  '25006': 'away', // Read-only: a standby, or one that is being replaced.
};
/** Connection, resources, operator's intervention, the system under it. */
const AWAY_CLASSES = ['08', '53', '57', '58'];
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Null where the database did its work and the fault is another's. */
export function databaseFaultOf(error: unknown): DatabaseFault | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = CODES[code];
  if (known) return known;
  if (/^[0-9A-Z]{5}$/.test(code) && AWAY_CLASSES.includes(code.slice(0, 2))) return 'away';
  if (SYSTEM_CODES.has(code) || AWAY_WORDS.test(error.message)) return 'away';
  return error.message === NO_CONNECTION_FREE ? 'busy' : null;
}
