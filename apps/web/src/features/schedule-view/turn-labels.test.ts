import { describe, expect, test } from 'vitest';
import { lineNote } from './line-labels.ts';
import { at, buildLine, buildLineUnit, buildTurn } from './timeline-fixtures.ts';
import { barLabel, reasonText, spokenTurn, unitNote } from './turn-labels.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const telling = { zone, now: at('10:00') };
const unit = buildLineUnit(12);
const spoken = (over: Parameters<typeof buildTurn>[2] = {}, of = unit) =>
  spokenTurn('A12', of, buildTurn('05:12', '05:40', over), telling);
const why = (code: string, time: number | null = null, of = unit, shiftS = 0) =>
  reasonText({ code, at: time }, { shiftS, startAt: at('05:12') }, of, telling);

describe('a watering is told as', () => {
  test.each([
    [{}, 'A12, 05:12 to 05:40, will run'],
    [{ sign: 'believed' }, 'A12, 05:12 to 05:40, should be running, not confirmed'],
    [{ sign: 'notHeard' }, 'A12, 05:12 to 05:40, nothing was heard of it'],
    [{ sign: 'said', outcome: 'watered', saidUntil: at('05:40') }, 'A12, 05:12 to 05:40, ran, it said so'],
    [
      { sign: 'said', outcome: 'short', saidUntil: at('05:40') },
      'A12, 05:12 to 05:40, ran, it said so, short',
    ],
    [
      { sign: 'said', outcome: 'watered', saidUntil: at('05:14') },
      'A12, 05:12 to 05:40, ran, it said so, its end was not heard',
    ],
    [
      { sign: 'said', outcome: 'by hand', isByCommand: true, saidUntil: at('05:40') },
      'A12, 05:12 to 05:40, ran, it said so, by a Valve On',
    ],
    [
      { sign: 'said', outcome: 'unplanned', saidUntil: at('05:40') },
      'A12, 05:12 to 05:40, ran, it said so, and nothing asked for it',
    ],
    [
      { sign: 'said', outcome: 'not known', endAt: at('10:20'), saidUntil: at('09:58') },
      'A12, 05:12 to 10:20, is running, it said so, and what it held then is not known',
    ],
    [
      { sign: 'wont', reasons: [{ code: 'inhibited', at: null }] },
      'A12, 05:12 to 05:40, won’t run: inhibited',
    ],
    [
      { sign: 'unsure', reasons: [{ code: 'onItsWay', at: null }] },
      'A12, 05:12 to 05:40, may run: a new schedule is on its way',
    ],
  ] as const)('%j', (over, text) => {
    expect(spoken(over as Parameters<typeof buildTurn>[2])).toBe(text);
  });
});

test('a reason names the times and the schedules', () => {
  expect(why('inhibited', at('08:00'))).toBe('inhibited since 08:00');
  expect(why('inhibited', at('08:00') - 4 * 86_400_000)).toBe('inhibited since Tue 17 Nov 08:00');
  const torn = buildLineUnit(1, { held: 'older', heldSet: 'Spring', wantedSet: 'Summer' });
  expect(why('holdsAnother', null, torn)).toBe('holds Spring, not Summer');
  expect(why('holdsAnother', null, buildLineUnit(1, { heldSet: '' }))).toBe('holds another schedule');
  expect(why('notHeard', at('10:00') - 3 * 86_400_000)).toBe('heard last 3 days ago');
  expect(why('notHeard')).toBe('not heard yet');
  expect(why('clock', null, unit, 240)).toBe('clock 4 min slow: starts 05:16');
  expect(why('clock', null, unit, -90)).toBe('clock 90 s fast: starts 05:10');
  expect(why('held', at('12:00'))).toBe('held until 12:00');
  expect(why('stopWanted')).toBe('asked to stop, and has not said so yet');
});

test('a bar has a word where it won’t be or is not sure, and no other', () => {
  const label = (over: Parameters<typeof buildTurn>[2]) =>
    barLabel(buildTurn('05:12', '05:40', over), unit, telling);
  expect(label({})).toBe('');
  expect(label({ sign: 'wont', reasons: [{ code: 'holdsNothing', at: null }] })).toBe('holds no schedule');
  expect(label({ sign: 'said', reasons: [{ code: 'late', at: null }] })).toBe('');
});

test('a sprinkler’s row says what stands out, the worst alone', () => {
  expect(unitNote(unit)).toBe('');
  expect(unitNote(buildLineUnit(1, { held: 'foreign' }))).toBe('unknown programme');
  expect(unitNote(buildLineUnit(1, { isInSet: false }))).toBe('not in the set');
  expect(unitNote(buildLineUnit(1, { isInService: false, isInhibited: true }))).toBe('out of service');
  expect(unitNote(buildLineUnit(1, { isInhibited: true }))).toBe('inhibited');
  expect(unitNote(buildLineUnit(1, { held: 'older', heldSet: 'Spring' }))).toBe('holds Spring, not Summer');
  expect(unitNote(buildLineUnit(1, { held: 'unknown' }))).toBe('not known what it holds');
});

test('a line whose gateway is away says that news comes late, and nothing else of it', () => {
  expect(lineNote(buildLine('North', { newsLate: 2 }))).toBe('2 · gateway away: news comes late');
  expect(lineNote(buildLine('North', { newsLate: 1 }))).toBe('2 · gateway of 1 away: news comes late');
  expect(lineNote(buildLine('North'))).toBe('2');
});
