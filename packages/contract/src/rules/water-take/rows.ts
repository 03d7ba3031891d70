import { QUARTER_MS } from './clock.ts';
import {
  clippedStretch,
  gapOf,
  type KnownGap,
  partOf,
  unknownStretch,
  type VolumeState,
  volumeStates,
  type VolumeStretch,
} from './volume.ts';

/** A quarter of an hour, named by its end, epoch ms. */
export interface TakeRow {
  readonly end: number;
  /** m³; null: missing. */
  readonly m3: number | null;
  readonly state: VolumeState;
  /** m³ that are sure to be in it, without what a gap may have in it; null: nothing is known of it, not even with a gap. */
  readonly known: number | null;
  /** Of a part of it nothing is known, so that `known` is the least that was taken. */
  readonly isLeast?: true;
  /** Of places together one of which is missing: m³ at those that are not. What is sure of a part of a quarter tells of no rate. */
  readonly elsewhere?: number;
  /** That it lies in, whole or with a part: each is one object in all its rows. */
  readonly gaps?: readonly KnownGap[];
  /** What the meter showed at the readings that it rests on, m³. */
  readonly before: number | null;
  readonly after: number | null;
}

/** A meter at a place from when to when, epoch ms, with what went through it: after a swap the next one follows. */
export interface InPlace {
  readonly from: number;
  readonly to: number;
  readonly stretches: Iterable<VolumeStretch>;
}

/** Those that lie in a time of whole quarters, epoch ms. */
export const rowsIn = (
  rows: readonly TakeRow[],
  { from, to }: { readonly from: number; readonly to: number },
): TakeRow[] => rows.filter(({ end }) => end > from && end <= to);

/** Meters at one place one after the other as one: times of which nothing was said are unknown. */
export function* placeVolumes(
  meters: readonly InPlace[],
  from: number,
  to: number,
): Generator<VolumeStretch, void> {
  let at = from;
  for (const meter of meters.toSorted((a, b) => a.from - b.from))
    for (const stretch of meter.stretches) {
      const part = clippedStretch(ownPart(stretch, meter), Math.max(at, meter.from), Math.min(to, meter.to));
      if (!part) continue;
      if (part.from > at) yield unknownStretch(at, part.from);
      yield part;
      at = part.to;
    }
  if (at < to) yield unknownStretch(at, to);
}

/** Of a gap in which a meter was built in or taken out nothing tells how much went through while it was in place. */
function ownPart(stretch: VolumeStretch, { from, to }: Omit<InPlace, 'stretches'>): VolumeStretch {
  const isInside = stretch.from >= from && stretch.to <= to;
  return isInside || !gapOf(stretch) ? stretch : unknownStretch(stretch.from, stretch.to);
}

const worse = (a: VolumeState, b: VolumeState): VolumeState =>
  volumeStates.indexOf(a) > volumeStates.indexOf(b) ? a : b;

/** Rows from one quarter's start to another's; the stretches are those of `placeVolumes` and lie one after the other. */
export function* quarterRows(
  stretches: readonly VolumeStretch[],
  from: number,
  to: number,
): Generator<TakeRow, void> {
  let next = 0;
  for (let start = from; start < to; start += QUARTER_MS) {
    const end = start + QUARTER_MS;
    while ((stretches[next]?.to ?? Infinity) <= start) next += 1;
    const parts: VolumeStretch[] = [];
    for (let index = next; ; index += 1) {
      const stretch = stretches[index];
      if (!stretch || stretch.from >= end) break;
      parts.push(stretch);
    }
    yield rowOf(parts, start, end);
  }
}

function rowOf(parts: readonly VolumeStretch[], start: number, end: number): TakeRow {
  let known: number | null = null;
  let isLeast = false;
  let state: VolumeState = 'measured';
  let at = start;
  const gaps: KnownGap[] = [];
  for (const part of parts) {
    if (part.from > at) break;
    const until = Math.min(part.to, end);
    const gap = gapOf(part);
    if (gap) gaps.push(gap);
    const m3 = gap ? 0 : partOf(part, Math.max(part.from, start), until);
    if (m3 === null) isLeast = true;
    else known = (known ?? 0) + m3;
    state = worse(state, part.state);
    at = until;
  }
  // Nothing is said of its last part.
  if (at < end) [isLeast, state] = [true, 'missing'];
  return {
    end,
    m3: state === 'missing' ? null : known,
    state,
    known,
    ...(isLeast && known !== null && { isLeast }),
    ...(gaps.length > 0 && { gaps }),
    before: parts[0]?.before ?? null,
    after: parts.at(-1)?.after ?? null,
  };
}

/** Of two places together, each in the order of time: what is missing at one is missing in the sum, and what is sure at the other stays sure. */
export function* addedRows(one: readonly TakeRow[], other: readonly TakeRow[]): Generator<TakeRow, void> {
  let [at, atOther] = [0, 0];
  for (;;) {
    const [a, b] = [one[at], other[atOther]];
    if (!a && !b) return;
    const end = Math.min(a?.end ?? Infinity, b?.end ?? Infinity);
    const [isOfOne, isOfOther] = [a?.end === end, b?.end === end];
    at += Number(isOfOne);
    atOther += Number(isOfOther);
    if (a && b && isOfOne && isOfOther) yield { ...added(a, b), before: null, after: null };
    else {
      const row = isOfOne ? a : b;
      if (row) yield { ...row, before: null, after: null };
    }
  }
}

const total = (volumes: readonly number[]) => volumes.reduce((all, one) => all + one, 0);

function added(a: TakeRow, b: TakeRow): TakeRow {
  const sum = (one: number | null, other: number | null) =>
    one === null || other === null ? null : one + other;
  const gaps = [...(a.gaps ?? []), ...(b.gaps ?? [])];
  const known = [a.known, b.known].filter((one) => one !== null);
  const m3 = sum(a.m3, b.m3);
  const whole = [a, b].flatMap((one) => one.m3 ?? one.elsewhere ?? []);
  return {
    ...a,
    ...(gaps.length > 0 && { gaps }),
    m3,
    ...(m3 === null && whole.length > 0 && { elsewhere: total(whole) }),
    known: known.length === 0 ? null : total(known),
    ...((known.length === 1 || a.isLeast || b.isLeast) && { isLeast: true }),
    state: worse(a.state, b.state),
  };
}
