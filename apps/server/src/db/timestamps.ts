import pg from 'pg';

const TIMESTAMPTZ = 1184;
const usual = pg.types.getTypeParser(TIMESTAMPTZ);

/** `2026-11-20 21:00:00+00` and `2026-11-20 21:00:00.125+13:45`: all that PostgreSQL writes of our times. */
const SECONDS = 19;

/** As the driver's own, in a tenth of the time: a month of hours has thousands of them. */
function readTimestamp(text: string): Date {
  const zoneAt = text.length - (text.charCodeAt(text.length - 3) === 0x3a ? 6 : 3);
  const sign = text.charCodeAt(zoneAt);
  const isUsual = zoneAt >= SECONDS && text.charCodeAt(10) === 0x20 && (sign === 0x2b || sign === 0x2d);
  const year = digits(text, 0, 4);
  if (!isUsual || year < 1900) return usual(text);
  const day = Date.UTC(year, digits(text, 5, 7) - 1, digits(text, 8, 10));
  const seconds = (digits(text, 11, 13) * 60 + digits(text, 14, 16)) * 60 + digits(text, 17, 19);
  const thousandths = Math.min(zoneAt, SECONDS + 4);
  const fraction = digits(text, SECONDS + 1, thousandths) * 10 ** (SECONDS + 4 - thousandths);
  const ahead = digits(text, zoneAt + 1, zoneAt + 3) * 60 + digits(text, zoneAt + 4, text.length);
  return new Date(
    day + seconds * 1000 + (zoneAt > SECONDS ? fraction : 0) + (sign === 0x2b ? -ahead : ahead) * 60_000,
  );
}

function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let place = from; place < to; place += 1) number = number * 10 + text.charCodeAt(place) - 0x30;
  return number;
}

/** How the pools of the server read what PostgreSQL sends. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary'
      ? readTimestamp
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
