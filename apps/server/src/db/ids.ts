import { randomBytes } from 'node:crypto';

/** A public id: 24 hex characters, the first eight the second it was made, so that ids sort by time. */
export function newUid(now: Date = new Date()): string {
  const seconds = Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + nextRandom();
}

const BYTES = 8;
let ahead = Buffer.alloc(0);
let taken = 0;

/** Random bytes are got for hundreds of ids at once: for one they cost as much, and thousands are made in one go. */
function nextRandom(): string {
  if (taken + BYTES > ahead.length) [ahead, taken] = [randomBytes(BYTES * 512), 0];
  taken += BYTES;
  return ahead.toString('hex', taken - BYTES, taken);
}
