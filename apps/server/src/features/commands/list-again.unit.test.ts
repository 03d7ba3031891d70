import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isListDueAgain, type ListSending } from './list-again.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-11-20T21:00:00Z');
/** Sendings that ended so many minutes ago, newest first. */
const ended = (state: string, ...minutes: number[]): ListSending[] =>
  minutes.map((ago) => ({ state, at: NOW - ago * MINUTE }));
const ago = (minutes: number | null) => (minutes === null ? null : NOW - minutes * MINUTE);

describe('a list that was sent before goes again', () => {
  const rows: [
    what: string,
    sendings: ListSending[],
    heard: { hello?: number; status?: number },
    isDue: boolean,
  ][] = [
    ['refused a moment ago', ended('failed', 0.9), {}, false],
    ['refused a minute ago', ended('failed', 1), {}, true],
    ['refused twice', ended('failed', 1.9, 3), {}, false],
    ['refused twice, 2 min ago', ended('failed', 2, 3), {}, true],
    ['refused five times', ended('failed', 14.9, 25, 30, 32, 33), {}, false],
    ['refused five times, 15 min ago', ended('failed', 15, 25, 30, 32, 33), {}, true],
    ['refused for a day', ended('failed', 15, 30, 45, 60, 75, 90, 105, 119), {}, true],
    ['refused, and a status since', ended('failed', 0.5), { status: 0.2 }, false],
    ['refused, and a hello since', ended('failed', 0.5), { hello: 0.2 }, true],
    ['refused, and a hello before', ended('failed', 0.5), { hello: 0.6 }, false],
    ['unanswered', ended('expired', 0.5), {}, false],
    ['unanswered, and a status since', ended('expired', 0.5), { status: 0.2 }, true],
    ['taken two days ago, and lost by a start since', ended('done', 2880), { hello: 0.1 }, true],
    ['started over and over', ended('done', 0.2, 0.4, 0.6), { hello: 0.1 }, false],
  ];
  it.each(rows)('%s', (_what, sendings, { hello = null, status = null }, isDue) => {
    expect(isListDueAgain({ sendings, helloAt: ago(hello), statusAt: ago(status) }, NOW)).toBe(isDue);
  });

  it('never more than six times in a quarter of an hour, whatever the gateway says, and within 15 min always', () => {
    const word = fc.record({
      state: fc.constantFrom('failed', 'expired', 'done'),
      hello: fc.boolean(),
      status: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(word, { minLength: 200, maxLength: 600 }), (words) => {
        const sent: number[] = [];
        let sendings: ListSending[] = [];
        let [helloAt, statusAt]: (number | null)[] = [null, null];
        words.forEach(({ state, hello, status }, turn) => {
          const now = NOW + turn * 10_000;
          if (hello) helloAt = now - 1;
          if (status) statusAt = now - 1;
          if (!isListDueAgain({ sendings, helloAt: helloAt ?? null, statusAt: statusAt ?? null }, now))
            return;
          sent.push(now);
          sendings = [{ state, at: now }, ...sendings].slice(0, 20);
        });
        for (const [index, at] of sent.entries()) {
          expect(sent.slice(index).filter((other) => other < at + 15 * MINUTE).length).toBeLessThanOrEqual(6);
          const next = sent[index + 1] ?? NOW + words.length * 10_000;
          expect(next - at).toBeLessThanOrEqual(15 * MINUTE + 10_000);
        }
      }),
    );
  });
});
