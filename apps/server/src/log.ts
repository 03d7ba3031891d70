import { type DestinationStream, type Logger, pino } from 'pino';

/** What must never reach a log: secrets, and the parts of PostgreSQL's errors that quote what people entered. */
const SECRET = [
  'req.headers.authorization',
  'password',
  'token',
  'err.detail',
  'err.where',
  'err.internalQuery',
];

/** Lines that wait while they can't be written; what is more is lost. */
const WAITING_BYTES = 1024 * 1024;

export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, redact: SECRET }, destination ?? standardOutput());

/**
 * A full disk under a redirected output, or a reader that has gone, must not end the server: without a listener an error there
 * does. Each line that follows tries anew.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: WAITING_BYTES });
  output.on('error', () => {});
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return output;
}
