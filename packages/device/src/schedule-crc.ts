/** One watering of a unit: `start` in minutes after local midnight, `duration` in minutes, `cycle` the day of the cycle from 1. */
export type ScheduleEntry = { readonly start: number; readonly duration: number; readonly cycle: number };

/** What a unit reports that holds no schedule or is inhibited; a real schedule never has it. */
export const inhibitedCrc = 'D6:DA';
const inhibited = 0xd6da;

/**
 * CRC-16/CCITT-FALSE (polynomial 0x1021, start 0xFFFF) over start, duration and cycle of every entry as big-endian 16 bits, written `HH:LL`.
 * No entries, and only then, give `D6:DA`: a schedule whose CRC happens to be that gets the next number.
 */
export function scheduleCrc(entries: readonly ScheduleEntry[]): string {
  if (entries.length === 0) return inhibitedCrc;
  let crc = 0xffff;
  for (const { start, duration, cycle } of entries)
    for (const value of [start, duration, cycle]) crc = addWord(crc, value);
  const own = crc === inhibited ? crc + 1 : crc;
  return `${hex(own >> 8)}:${hex(own & 0xff)}`;
}

function addWord(crc: number, word: number): number {
  return addByte(addByte(crc, (word >> 8) & 0xff), word & 0xff);
}

function addByte(crc: number, byte: number): number {
  let sum = crc ^ (byte << 8);
  for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1) & 0xffff;
  return sum;
}

function hex(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}
