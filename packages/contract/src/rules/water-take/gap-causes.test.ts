import { expect, it } from 'vitest';
import type { TakeAccount } from './account.ts';
import { QUARTER_MS } from './clock.ts';
import { unknownStretch, type VolumeStretch } from './volume.ts';
import { gapsIn } from './gap-causes.ts';
import { quarterRows } from './rows.ts';

const START = Date.parse('2026-07-01T12:00:00Z') - 86_400_000;
const at = (quarter: number) => START + quarter * QUARTER_MS;
const counted = (quarter: number): VolumeStretch => ({
  from: at(quarter),
  to: at(quarter + 1),
  m3: 1,
  state: 'measured',
  before: quarter,
  after: quarter + 1,
});
const restarted = (quarter: number): VolumeStretch => ({
  ...counted(quarter),
  m3: null,
  state: 'missing',
  after: 0,
});
/** A take with one meter since 1970, of which these stretches are known. */
function accountOf(stretches: readonly VolumeStretch[], over: Partial<TakeAccount> = {}): TakeAccount {
  const [from, to] = [stretches[0]?.from ?? 0, stretches.at(-1)?.to ?? 0];
  const rows = [...quarterRows(stretches, from, to)];
  const [site, measure] = ['123456M1', 'Compliance Volume'];
  const meter = { id: 1, site, measure, startsAt: new Date(0), endsAt: null };
  return {
    time: { offsetMs: 43_200_000 },
    take: {
      maxLps: null,
      maxM3Day: null,
      maxM37Day: null,
      maxM3Year: null,
      validFrom: null,
      validTo: null,
      restrictions: [],
      meters: [meter],
      readings: [],
    },
    volumes: {
      places: [{ site, measure, meters: [meter], stretches, rows }],
      rows,
      until: to,
      accuracy: 0.05,
      others: new Set(),
    },
    range: { from, to },
    notes: [],
    outages: [],
    keptSince: 0,
    ...over,
  };
}
const causes = (over: Parameters<typeof accountOf>[1], stretches: VolumeStretch[], most = 10) =>
  gapsIn(accountOf(stretches, over), most).gaps.map(({ cause }) => cause);

it('lists the newest gaps of very many, and says how many there are', () => {
  const stretches = Array.from({ length: 1400 }, (_, index) =>
    index % 2 === 0 ? counted(index) : restarted(index),
  );
  const { gaps, count } = gapsIn(accountOf(stretches), 500);
  expect([gaps.length, count]).toEqual([500, 700]);
  expect([gaps[0]?.from, gaps.at(-1)?.from]).toEqual([
    new Date(at(1399)).toISOString(),
    new Date(at(401)).toISOString(),
  ]);
});

it('tells each gap by what explains it: also where an earlier break is longer than a later one', () => {
  const long = { ...restarted(0), to: at(4) };
  const stretches = [long, counted(4), unknownStretch(at(5), at(6)), counted(6), restarted(7), counted(8)];
  expect(causes({}, stretches)).toEqual(['counter', 'silent', 'counter']);
  expect(causes({ outages: [{ from: at(5), to: at(6) }] }, stretches)).toEqual([
    'counter',
    'outage',
    'counter',
  ]);
});

it('of a long silence with one step that doesn’t follow says the silence, and the step where it is half of the gap', () => {
  const silence = (from: number, to: number) => unknownStretch(at(from), at(to));
  expect(causes({}, [silence(0, 3), restarted(3), silence(4, 8)])).toEqual(['silent']);
  expect(causes({}, [silence(0, 1), restarted(1)])).toEqual(['counter']);
});

it('of a step that doesn’t follow within ten minutes over two quarters says so: the rest of them was heard', () => {
  const edge = at(1) - 300_000;
  const step = { ...restarted(0), from: edge, to: at(1) + 300_000 };
  const stretches = [{ ...counted(0), to: edge }, step, { ...counted(1), from: step.to }, counted(2)];
  expect(causes({}, stretches)).toEqual(['counter']);
  // Twelve minutes in which nobody listened, and nothing came for twenty.
  const silence = unknownStretch(at(1) - 600_000, at(1) + 600_000);
  const heard = [{ ...counted(0), to: silence.from }, silence, { ...counted(1), from: silence.to }];
  expect(causes({ outages: [{ from: at(1) - 360_000, to: at(1) + 360_000 }] }, heard)).toEqual(['outage']);
  expect(causes({}, heard)).toEqual(['silent']);
});

it('says of a time from before readings are kept that they are no longer', () => {
  const stretches = [unknownStretch(at(0), at(4)), counted(4), unknownStretch(at(5), at(7))];
  expect(causes({ keptSince: at(4) }, stretches)).toEqual(['silent', 'notKept']);
});
