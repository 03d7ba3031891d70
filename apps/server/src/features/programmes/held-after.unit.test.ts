import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Held, heldAfter, type HeldReport } from './held-after.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const noon = Date.parse('2026-11-20T12:00:00Z');
const morning = { entries: [{ start: 300, duration: 30, cycle: 1 }], cycleDays: 1 };
const nothing = { entries: [], cycleDays: 1 };

const said = (crc: string, at = noon, programme: HeldReport['programme'] = null): HeldReport => ({
  at,
  crc,
  how: 'said',
  programme,
});
const answered = (crc: string, at = noon, programme: HeldReport['programme'] = morning): HeldReport => ({
  at,
  crc,
  how: 'answered',
  programme,
});
const held = (values: Partial<Held> = {}): Held => ({
  since: noon - HOUR,
  crc: 'AA:AA',
  how: 'said',
  programme: morning,
  stoppedAt: null,
  ...values,
});

describe('what a sprinkler holds after a word of it', () => {
  it.each<[string, Held | null, HeldReport, boolean, Held]>([
    [
      'a checksum that is known',
      null,
      said('AA:AA', noon, morning),
      true,
      held({ since: noon, programme: morning }),
    ],
    [
      'one that Headrace never sent',
      held(),
      said('BB:BB'),
      true,
      held({ since: noon, crc: 'BB:BB', programme: null }),
    ],
    ['the same again', held(), said('AA:AA'), true, held()],
    ['an answer', held(), answered('BB:BB'), true, held({ since: noon, crc: 'BB:BB', how: 'answered' })],
    [
      'none, while it is to hold one: it was inhibited',
      held(),
      said('D6:DA'),
      true,
      held({ stoppedAt: noon }),
    ],
    [
      'none, while it is to hold none: it is empty',
      held(),
      said('D6:DA'),
      false,
      held({ since: noon, crc: 'D6:DA', programme: nothing }),
    ],
    [
      'none as its first word, while it is to hold one: nobody knows',
      null,
      said('D6:DA'),
      true,
      held({ since: noon, crc: 'D6:DA', programme: null }),
    ],
    [
      'none as its first word, while nothing is wanted: it is empty',
      null,
      said('D6:DA'),
      false,
      held({ since: noon, crc: 'D6:DA', programme: nothing }),
    ],
    [
      'none again: since when it was first said',
      held({ stoppedAt: noon - MINUTE }),
      said('D6:DA'),
      true,
      held({ stoppedAt: noon - MINUTE }),
    ],
    [
      'its schedule again after it was inhibited: it waters by it anew, and the time without stays known',
      held({ stoppedAt: noon - MINUTE }),
      said('AA:AA'),
      true,
      held({ since: noon }),
    ],
    [
      'an answer that it was cleared',
      held(),
      answered('D6:DA', noon, nothing),
      false,
      held({ since: noon, crc: 'D6:DA', how: 'answered', programme: nothing }),
    ],
    ['a report older than what is known', held(), said('BB:BB', noon - 2 * HOUR), true, held()],
    [
      'an answer that seems to come before a report of a clock that is ahead',
      held({ since: noon + 9 * MINUTE }),
      answered('BB:BB'),
      true,
      held({ since: noon + 9 * MINUTE, crc: 'BB:BB', how: 'answered' }),
    ],
    [
      'an answer that is older by more',
      held({ since: noon + 11 * MINUTE }),
      answered('BB:BB'),
      true,
      held({ since: noon + 11 * MINUTE }),
    ],
    [
      'an answer with the same waterings in another cycle',
      held(),
      answered('AA:AA', noon, { ...morning, cycleDays: 2 }),
      true,
      held({ since: noon, how: 'answered', programme: { ...morning, cycleDays: 2 } }),
    ],
    [
      'an answer that tells what the checksum stands for',
      held({ programme: null }),
      answered('AA:AA'),
      true,
      held(),
    ],
  ])('%s', (_, before, report, isWanted, after) => {
    expect(heldAfter(before, report, isWanted)).toEqual(after);
  });

  it('is the same object when a word is said twice, and never begins before what was known', () => {
    const at = fc.integer({ min: -120, max: 120 }).map((minutes) => noon + minutes * MINUTE);
    const crc = fc.constantFrom('AA:AA', 'BB:BB', 'D6:DA');
    const report = fc.record<HeldReport>({
      at,
      crc,
      how: fc.constantFrom('said', 'answered'),
      programme: fc.constantFrom(null, morning, nothing, { ...morning, cycleDays: 2 }),
    });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 6 }), report, fc.boolean(), (reports, last, isWanted) => {
        let now: Held | null = null;
        for (const one of reports) {
          const next: Held | null = heldAfter(now, one, isWanted);
          expect(next?.since ?? 0).toBeGreaterThanOrEqual(now?.since ?? 0);
          now = next;
        }
        const once = heldAfter(now, last, isWanted);
        expect(heldAfter(once, last, isWanted)).toBe(once);
      }),
    );
  });
});
