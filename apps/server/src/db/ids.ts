import { randomBytes } from 'node:crypto';

/** A public id: 24 hex characters, the first eight the second it was made, so that ids sort by time. */
export function newUid(now: Date = new Date()): string {
  const seconds = Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + randomBytes(8).toString('hex');
}
