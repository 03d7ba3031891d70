import type { TakeGap } from '../../water-takes.ts';
import type { Gap } from '../alerts/silence.ts';
import type { TakeAccount } from './account.ts';
import { gapsOf, type TakeGap as GapOfRows } from './gaps.ts';
import { bestNote } from './note-fit.ts';
import { rowsIn } from './rows.ts';
import type { VolumeStretch } from './volume.ts';

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

/**
 * What explains most of what is missing in a gap: it isn't kept; nobody listened; readings came and one does not follow from another; or
 * it was silent. Quarters at its ends are missing whole where a minute of them is: that minute is what is asked for.
 */
function causesOf({ volumes, outages, take, keptSince }: TakeAccount): (gap: GapOfRows) => TakeGap['cause'] {
  const missing = volumes.places.flatMap(({ stretches }) =>
    stretches.filter(({ state }) => state === 'missing'),
  );
  const [missingMs, brokenMs] = [timeIn(missing), timeIn(missing.filter(isBreak))];
  return (gap) => {
    const wholeMs = gap.to - gap.from;
    if (keptSince - gap.from >= wholeMs / 2) return 'notKept';
    const half = (missingMs(gap) || wholeMs) / 2;
    if (outages.reduce((sum, one) => sum + overlap(one, gap), 0) >= half) return 'outage';
    if (brokenMs(gap) >= half) return 'counter';
    const isInPlace = take.meters.some(
      ({ startsAt, endsAt }) => startsAt.getTime() < gap.to && (endsAt?.getTime() ?? Infinity) > gap.from,
    );
    return isInPlace ? 'silent' : 'notInPlace';
  };
}

const overlap = (one: Gap, gap: Gap) => Math.max(0, Math.min(one.to, gap.to) - Math.max(one.from, gap.from));

/** One reading doesn't follow from the one before, as where a counter began anew. */
const isBreak = ({ m3, before, after, partOfGap }: VolumeStretch): boolean =>
  m3 === null && !partOfGap && before !== null && after !== null;

/** How much of a time, ms, lies in these. They are looked through once: a year has a thousand gaps. */
function timeIn(stretches: readonly VolumeStretch[]): (time: Gap) => number {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
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
