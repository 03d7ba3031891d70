import { clippedStretch, type KnownGap, type VolumeStretch } from './volume.ts';

/** The part of a stretch that is kept with a day, of a gap as well: what it has of its total tells nothing, and `joinedParts` puts it together. */
export function dayPart(stretch: VolumeStretch, from: number, to: number): VolumeStretch | null {
  const part = clippedStretch({ ...stretch, state: 'measured' }, from, to);
  return part && { ...part, state: stretch.state };
}

/** Below a counter's own steps, and above what sums of binary fractions differ by, m³. */
const ROUNDING = 1e-6;

/**
 * Parts of days that follow each other, as they were before the days cut them. A gap that goes on before `from` or after `to` is known by
 * its total alone.
 */
export function joinedParts(
  parts: readonly VolumeStretch[],
  { from, to }: { readonly from: number; readonly to: number },
): VolumeStretch[] {
  const found: VolumeStretch[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (last?.m3 != null && part.m3 !== null && isOneGap(last, part))
      found[found.length - 1] = { ...last, to: part.to, m3: last.m3 + part.m3 };
    else found.push(part);
  }
  return found.map((one) => {
    const isAtEdge = one.from <= from || one.to >= to;
    return isCut(one, isAtEdge) ? { ...one, m3: null, ...ofGap(one) } : one;
  });
}

const isOneGap = (a: VolumeStretch, b: VolumeStretch) =>
  a.state === 'missing' &&
  b.state === 'missing' &&
  a.to === b.from &&
  a.before !== null &&
  a.before === b.before &&
  a.after === b.after;

/** A counter that ran over its end shows less after than before: whether all of it is there can't be seen, where a day's edge may cut it. */
function isCut({ state, m3, before, after }: VolumeStretch, isAtEdge: boolean): boolean {
  if (state !== 'missing' || m3 === null || m3 === 0 || before === null || after === null) return false;
  return after < before ? isAtEdge : Math.abs(after - before - m3) > ROUNDING;
}

/** It begins or ends somewhere outside. */
function ofGap({ before, after }: VolumeStretch): { partOfGap?: KnownGap } {
  if (before === null || after === null || after < before) return {};
  return { partOfGap: { from: -Infinity, to: Infinity, m3: after - before } };
}
