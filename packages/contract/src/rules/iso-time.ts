const DAY_MS = 86_400_000;
let lastDay = Number.NaN;
let lastDate = '';

/** As `Date.toISOString`, of epoch ms: a month's hours have 30 dates, which take most of the work. */
export function isoTime(at: number): string {
  const time = Math.trunc(at);
  const day = Math.floor(time / DAY_MS);
  if (day !== lastDay) {
    lastDate = new Date(time).toISOString().slice(0, -CLOCK_LENGTH);
    lastDay = day;
  }
  const ms = time - day * DAY_MS;
  const clock = `${twoDigits(ms / 3_600_000)}:${twoDigits((ms / 60_000) % 60)}:${twoDigits((ms / 1000) % 60)}`;
  return `${lastDate}${clock}.${String(ms % 1000).padStart(3, '0')}Z`;
}
const CLOCK_LENGTH = 'hh:mm:ss.mmmZ'.length;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const twoDigits = (value: number) => TWO_DIGITS[Math.trunc(value)];
