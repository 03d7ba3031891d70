import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { types } from './timestamps.ts';

const read = types.getTypeParser(1184, 'text') as (text: string) => Date | number;
const usual = pg.types.getTypeParser(1184);

describe('times from the database', () => {
  it.each([
    ['2026-11-20 21:00:00+00', '2026-11-20T21:00:00.000Z'],
    ['2026-11-20 21:00:00.1256+13:45', '2026-11-20T07:15:00.125Z'],
    ['2026-02-28 23:59:59.009-03', '2026-03-01T02:59:59.009Z'],
  ])('%s', (text, iso) => {
    expect((read(text) as Date).toISOString()).toBe(iso);
  });

  it.each([
    'infinity',
    '-infinity',
    '0044-03-15 12:00:00+00 BC',
    '0099-11-20 21:00:00+00',
    '12026-11-20 21:00:00+00',
  ])('as the driver reads them: %s', (text) => expect(read(text)).toEqual(usual(text)));

  it('as the driver reads them, whatever the moment, the zone and the digits', () => {
    const two = (number: number) => String(number).padStart(2, '0');
    const zone = fc.tuple(
      fc.constantFrom('+', '-'),
      fc.integer({ min: 0, max: 14 }),
      fc.constantFrom('', ':15', ':30', ':45'),
    );
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('1900-01-01T00:00:00Z'),
          max: new Date('2999-12-31T00:00:00Z'),
          noInvalidDate: true,
        }),
        fc.stringMatching(/^(\.\d{1,6})?$/),
        zone,
        (date, fraction, [sign, hours, minutes]) => {
          const text = `${date.toISOString().slice(0, 19).replace('T', ' ')}${fraction}${sign}${two(hours)}${minutes}`;
          expect(read(text)).toEqual(usual(text));
        },
      ),
    );
  });
});
