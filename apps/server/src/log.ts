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

export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, redact: SECRET }, destination ?? pino.destination(1));
