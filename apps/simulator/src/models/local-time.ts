const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export type LocalTime = {
  /** Days since 1970 of the local calendar. */
  readonly day: number;
  /** Hours since local midnight, with fractions. */
  readonly hour: number;
  /** 1 to 12. */
  readonly month: number;
  /** How far the clock is ahead of UTC, ms. */
  readonly offsetMs: number;
};

export type LocalClock = (at: number) => LocalTime;

const clocks = new Map<string, LocalClock>();

/** The clock of all farms in a zone. Offsets come from Intl once for every quarter of an hour asked about, and are kept. */
export function createLocalClock(timeZone: string): LocalClock {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = makeClock(timeZone);
  clocks.set(timeZone, clock);
  return clock;
}

function makeClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  const offsetAt = (at: number): number => {
    // Zones change on a quarter of an hour at the finest.
    const slot = Math.floor(at / (hourMs / 4));
    let offset = offsets.get(slot);
    if (offset === undefined) {
      offset = readOffset(format.format(at));
      if (offsets.size > 5000) offsets.clear();
      offsets.set(slot, offset);
    }
    return offset;
  };
  return (at) => localTime(at, offsetAt(at));
}

/** What a clock shows that is so far ahead of UTC. */
export function localTime(at: number, offsetMs: number): LocalTime {
  const local = at + offsetMs;
  const day = Math.floor(local / dayMs);
  return { day, hour: (local - day * dayMs) / hourMs, month: monthOf(day), offsetMs };
}

/** Milliseconds ahead of UTC from the end of "1/14/2026, GMT+13:45". */
function readOffset(text: string): number {
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(text);
  if (!match) return 0;
  const size = (Number(match[2]) * 60 + Number(match[3])) * 60_000;
  return match[1] === '-' ? -size : size;
}

let knownDay = Number.NaN;
let knownMonth = 1;

function monthOf(day: number): number {
  if (day !== knownDay) {
    knownDay = day;
    knownMonth = new Date(day * dayMs).getUTCMonth() + 1;
  }
  return knownMonth;
}
