/** Quarters of an hour, days and water years of a take, on the standard time of its farm all year: every day has 96 quarters. */
export const QUARTER_MS = 900_000;
export const DAY_MS = 86_400_000;
export const QUARTERS_A_DAY = 96;

/** A farm's standard time: what its clocks are ahead of UTC out of daylight saving, ms. NZST is 12 hours. */
export interface StandardTime {
  readonly offsetMs: number;
}

export const standardTime = ({ rawOffset }: { rawOffset: number }): StandardTime => ({
  offsetMs: rawOffset * 1000,
});

/** "NZST", or how far it is from UTC. */
export function standardName({ offsetMs }: StandardTime): string {
  if (offsetMs === 43_200_000) return 'NZST';
  return `UTC${offsetText({ offsetMs })}`;
}

/** "+12:00" */
export function offsetText({ offsetMs }: StandardTime): string {
  const minutes = Math.abs(offsetMs) / 60_000;
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Start (epoch ms) of the quarter that holds a moment: the same in every zone, since all are whole quarters from UTC. */
export const quarterStart = (at: number): number => Math.floor(at / QUARTER_MS) * QUARTER_MS;

export const takeDayStart = ({ offsetMs }: StandardTime, at: number): number =>
  Math.floor((at + offsetMs) / DAY_MS) * DAY_MS - offsetMs;

/** Start of the 1 July at or before a moment. */
export function waterYearStart({ offsetMs }: StandardTime, at: number): number {
  const local = new Date(at + offsetMs);
  const year = local.getUTCMonth() >= 6 ? local.getUTCFullYear() : local.getUTCFullYear() - 1;
  return Date.UTC(year, 6, 1) - offsetMs;
}

/** "2026/27" */
export function waterYearName(time: StandardTime, at: number): string {
  const year = new Date(waterYearStart(time, at) + time.offsetMs).getUTCFullYear();
  return `${year}/${two((year + 1) % 100)}`;
}

/** YYYY-MM-DD of a moment. */
/** Start of its day of UTC, epoch ms. */
export const utcDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

export const takeDay = ({ offsetMs }: StandardTime, at: number): string =>
  new Date(at + offsetMs).toISOString().slice(0, 10);

/** Start of a day given as YYYY-MM-DD or DD-MM-YYYY; null where there is no such day. */
export function takeDayAt({ offsetMs }: StandardTime, text: string): number | null {
  const ymd = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const dmy = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  const [year, month, day] = (ymd ? ymd.slice(1) : dmy ? dmy.slice(1).toReversed() : []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year < 1900) return null;
  const utc = Date.UTC(year, month - 1, day);
  const read = new Date(utc);
  return read.getUTCMonth() === month - 1 && read.getUTCDate() === day ? utc - offsetMs : null;
}

const two = (value: number) => String(value).padStart(2, '0');
const CLOCKS = Array.from(
  { length: QUARTERS_A_DAY },
  (_none, nth) => `${two(Math.floor(nth / 4))}:${two((nth % 4) * 15)}`,
);

/** Moments that begin a quarter or end one, as text. */
export interface QuarterTexts {
  /** YYYY-MM-DD. */
  readonly day: (at: number) => string;
  /** HH:mm. */
  readonly clock: (at: number) => string;
  /** "YYYY-MM-DD HH:mm" of a quarter's end, which is 24:00 at the end of a day. */
  readonly end: (at: number) => string;
}

/** Of a year's quarters one after the other each day is written once. */
export function quarterTexts(time: StandardTime): QuarterTexts {
  const day = byDay(time, (at) => takeDay(time, at));
  const dayOfEnd = byDay(time, (at) => takeDay(time, at));
  const clock = (at: number) => CLOCKS[(at - takeDayStart(time, at)) / QUARTER_MS] ?? '';
  return {
    day,
    clock,
    end: (at) => `${dayOfEnd(at - 1)} ${clock(at) === '00:00' ? '24:00' : clock(at)}`,
  };
}

/** What `write` makes of a day's start, written anew where it is another day than that of the last call. */
export function byDay(time: StandardTime, write: (start: number) => string): (at: number) => string {
  let [start, text] = [NaN, ''];
  return (at) => {
    const own = takeDayStart(time, at);
    if (own !== start) [start, text] = [own, write(own)];
    return text;
  };
}
