import { describe, expect, it } from 'vitest';
import { clocksSet } from './clocks-set.ts';

/** The change of 26 September 2027 in New Zealand: at 14:00 UTC of the day before, 02:00 becomes 03:00. */
const at = Date.parse('2027-09-25T14:00:00Z');
const spring = { at, fromMin: 120, toMin: 180 };
const said = (driftS: number, minutes = 10) => ({ driftS, at: at + minutes * 60_000 });

describe('who took the new time', () => {
  it('is who said so since the change, and nobody else', () => {
    const reports = [said(0), said(-40), said(-3600), said(-3590), said(0, -1), null, said(12, 0)];
    expect(clocksSet(spring, reports)).toEqual({ total: 7, set: 3, off: 2, unheard: 2 });
  });

  it('is told by half of the jump: an hour, and thirty minutes on Lord Howe', () => {
    const counts = (fromMin: number, toMin: number, driftS: number) =>
      clocksSet({ at, fromMin, toMin }, [said(driftS)]).set;
    expect([counts(120, 180, 1799), counts(120, 180, 1800)]).toEqual([1, 0]);
    expect([counts(180, 120, 1799), counts(180, 120, 3600)]).toEqual([1, 0]);
    expect([counts(120, 150, 899), counts(120, 150, 900)]).toEqual([1, 0]);
    // Over midnight: 23:30 becomes 00:30.
    expect([counts(1410, 30, -1799), counts(1410, 30, -3600)]).toEqual([1, 0]);
  });

  it('is nobody where there is no sprinkler', () => {
    expect(clocksSet(spring, [])).toEqual({ total: 0, set: 0, off: 0, unheard: 0 });
  });
});
