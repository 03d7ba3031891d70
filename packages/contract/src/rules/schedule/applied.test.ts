import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { millimetresPerMinute } from '../water-application.ts';
import { applied, type Bounds, type ReportedRun } from './applied.ts';

const at = (text: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return (hours * 3600 + minutes * 60 + seconds) * 1000;
};
const bySystem = millimetresPerMinute({ type: 'SystemDesign', sprinklerFlow: 4, sprinklerCoverage: 1 });
const byArea = millimetresPerMinute({
  type: 'SprinklerParameters',
  sprinklerFlow: 4,
  sprinklerCoverage: 1400,
});

const run = (openedAt: string, closedAt: string | null, more: Partial<ReportedRun> = {}): ReportedRun => ({
  unit: 'A1',
  openedAt: at(openedAt),
  openedHow: 'said',
  openUntil: at(openedAt),
  closedAt: closedAt === null ? null : at(closedAt),
  closedHow: closedAt === null ? null : 'said',
  lps: 4,
  mmPerMin: bySystem,
  ...more,
});
const facts = (endsAt: string | null, now = '12:00') => ({
  endsAt: endsAt === null ? null : at(endsAt),
  clockS: null,
  now: at(now),
});
const exactly = (value: number) => ({ least: value, believed: value, most: value });
const rounded = ({ least, believed, most }: Bounds, digits: number) =>
  [least, believed, most].map((value) => Number(value.toFixed(digits)));

it('E24: 27 min 12 s at 4 L/s are 6,528 L; 4.69 mm by the system design, 4.66 mm on 1,400 m²', () => {
  const { minutes, mm, litres } = applied(run('05:14', '05:41:12'), facts('05:40'));
  expect(minutes).toEqual(exactly(27.2));
  expect(rounded(litres, 6)).toEqual([6528, 6528, 6528]);
  expect(rounded(mm, 2)).toEqual([4.69, 4.69, 4.69]);
  const onArea = applied(run('05:14', '05:41:12', { mmPerMin: byArea }), facts('05:40'));
  expect(rounded(onArea.mm, 2)).toEqual([4.66, 4.66, 4.66]);
});

it('E25: of one whose end was not heard 0 to 346 min, by its programme 26: 0 to 59.7 mm, 4.5 believed', () => {
  const { minutes, mm } = applied(run('05:14', '11:00'), facts('05:40'));
  expect(minutes).toEqual({ least: 0, believed: 26, most: 346 });
  expect(rounded(mm, 1)).toEqual([0, 4.5, 59.7]);
});

describe('minutes open', () => {
  it.each([
    [
      'closed by its own log much later',
      run('05:14', '11:00', { closedHow: 'logged' }),
      '05:40',
      exactly(346),
    ],
    ['closed by a Valve Off', run('05:14', '11:00', { closedHow: 'answered' }), '05:40', exactly(346)],
    ['said open past its end', run('05:14', '06:30', { openUntil: at('06:20') }), '05:40', exactly(76)],
    ['closed early', run('05:14', '05:30'), '05:40', exactly(16)],
    ['closed five minutes after its end', run('05:14', '05:45'), '05:40', exactly(31)],
    ['six minutes after it', run('05:14', '05:46'), '05:40', { least: 0, believed: 26, most: 32 }],
    ['that nothing had asked for', run('05:14', '11:00'), null, exactly(346)],
    ['still open, as far as is known', run('05:14', null), '05:40', { least: 0, believed: 26, most: 406 }],
    [
      'still open, and no end known',
      run('05:14', null, { openUntil: at('05:20') }),
      null,
      { least: 6, believed: 6, most: 406 },
    ],
  ])('of one that was %s', (_, said, endsAt, expected) => {
    expect(applied(said, facts(endsAt)).minutes).toEqual(expected);
  });
});

const times = fc
  .array(fc.integer({ min: 0, max: 86_400 }), { minLength: 4, maxLength: 4 })
  .map((seconds) => seconds.map((second) => second * 1000).toSorted((a, b) => a - b));

describe('invariant 14', () => {
  it('what is believed lies between least and most', () => {
    fc.assert(
      fc.property(
        times,
        fc.boolean(),
        fc.boolean(),
        fc.option(fc.integer({ max: 86_400_000 })),
        (moments, isClosed, isLogged, endsAt) => {
          const [openedAt = 0, openUntil = 0, closedAt = 0, now = 0] = moments;
          const said = run('00:00', null, {
            openedAt,
            openUntil,
            ...(isClosed && { closedAt, closedHow: isLogged ? ('logged' as const) : ('said' as const) }),
          });
          for (const { least, believed, most } of Object.values(
            applied(said, { endsAt, clockS: null, now }),
          )) {
            expect(least).toBeGreaterThanOrEqual(0);
            expect(believed).toBeGreaterThanOrEqual(least);
            expect(most).toBeGreaterThanOrEqual(believed);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('parts of a run add up to the whole', () => {
    fc.assert(
      fc.property(times, (moments) => {
        const [openedAt = 0, cut = 0, closedAt = 0, now = 0] = moments;
        const litres = (from: number, to: number) =>
          applied(
            run('00:00', null, { openedAt: from, openUntil: from, closedAt: to, closedHow: 'logged' }),
            { endsAt: null, clockS: null, now },
          ).litres.believed;
        expect(litres(openedAt, cut) + litres(cut, closedAt)).toBeCloseTo(litres(openedAt, closedAt), 6);
      }),
      { numRuns: 1000 },
    );
  });
});
