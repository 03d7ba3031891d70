import type { TakeGap } from '../../water-takes.ts';
import type { Gap } from '../alerts/silence.ts';
import type { TakeAccount } from './account.ts';
import { gapsOf, type TakeGap as GapOfRows } from './gaps.ts';
import { bestNote } from './note-fit.ts';
import { rowsIn } from './rows.ts';

/** The newest first, so many at most, and how many there are: only of what is listed a cause is looked for. */
export function gapsIn(account: TakeAccount, most: number): { gaps: TakeGap[]; count: number } {
  const { volumes, range, notes } = account;
  const found = gapsOf(rowsIn(volumes.rows, range));
  const causeOf = causesOf(account);
  const gaps = found.slice(Math.max(0, found.length - most)).map((gap) => ({
    from: new Date(gap.from).toISOString(),
    to: new Date(gap.to).toISOString(),
    rows: gap.rows,
    m3: gap.m3,
    isCut: gap.isCut,
    cause: causeOf(gap),
    note: bestNote(notes, gap)?.note ?? '',
  }));
  return { gaps: gaps.toReversed(), count: found.length };
}

/** What explains most of a gap: it isn't kept; nobody listened; readings came and one does not follow from another; or it was silent. */
function causesOf({ volumes, outages, take, keptSince }: TakeAccount): (gap: GapOfRows) => TakeGap['cause'] {
  const brokenMs = breaksIn(volumes);
  return (gap) => {
    const half = (gap.to - gap.from) / 2;
    if (keptSince - gap.from >= half) return 'notKept';
    if (outages.reduce((sum, one) => sum + overlap(one, gap), 0) >= half) return 'outage';
    if (brokenMs(gap) >= half) return 'counter';
    const isInPlace = take.meters.some(
      ({ startsAt, endsAt }) => startsAt.getTime() < gap.to && (endsAt?.getTime() ?? Infinity) > gap.from,
    );
    return isInPlace ? 'silent' : 'notInPlace';
  };
}

const overlap = (one: Gap, gap: Gap) => Math.max(0, Math.min(one.to, gap.to) - Math.max(one.from, gap.from));

/**
 * How long of a time, ms, at some place one reading doesn't follow from the one before, as where a counter began anew. A time of another
 * meter's silence with one such step in it is silence. They are looked through once: a year has a thousand gaps.
 */
function breaksIn({ places }: TakeAccount['volumes']): (time: Gap) => number {
  const breaks = places
    .flatMap(({ stretches }) =>
      stretches.filter(
        ({ state, m3, before, after, partOfGap }) =>
          state === 'missing' && m3 === null && !partOfGap && before !== null && after !== null,
      ),
    )
    .toSorted((a, b) => a.from - b.from);
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of breaks) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return (time) => {
    let sum = 0;
    for (let nth = joined.findLastIndex(({ from }) => from < time.to); nth >= 0; nth -= 1) {
      const one = joined[nth];
      if (!one || one.to <= time.from) break;
      sum += overlap(one, time);
    }
    return sum;
  };
}
