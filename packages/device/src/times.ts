/** ISO-8601 in UTC, as a device must write it: `2026-01-31T04:05:06Z`, fractions of a second allowed. */
export const utcTimePattern =
  '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?Z$';
const utcTime = new RegExp(utcTimePattern);

/** Epoch milliseconds, or `null` for anything that isn't a UTC time or names a day that doesn't exist (30 February). */
export function parseUtcTime(text: string): number | null {
  if (!utcTime.test(text)) return null;
  const time = Date.parse(text);
  // Date.parse rolls 31 June over to 1 July: the day read back must be the day written.
  return new Date(time).getUTCDate() === Number(text.slice(8, 10)) ? time : null;
}

const offsetTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Network servers write nanoseconds and offsets: the same moment as an ISO-8601 UTC string in milliseconds, or `null`. */
export function toUtcTime(text: string): string | null {
  const match = text.length > 64 ? null : offsetTime.exec(text);
  if (!match) return null;
  const [, seconds, fraction = '', zone] = match;
  if (parseUtcTime(`${seconds}Z`) === null) return null;
  const time = Date.parse(`${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${zone}`);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
