/**
 * How a volume is known. Measured: by readings close together. Shared out: by readings about half an hour apart at most. Estimated: from
 * a flow that was seen now and then, or amounts of which one may have been lost. Missing: by nothing between.
 */
export const volumeStates = ['measured', 'shared', 'estimated', 'missing'] as const;
export type VolumeState = (typeof volumeStates)[number];

/** Between two readings, epoch ms; its volume lies evenly over its time. */
export interface VolumeStretch {
  readonly from: number;
  readonly to: number;
  /** m³; null: not known, as where a counter restarted, or of a part of a gap. */
  readonly m3: number | null;
  readonly state: VolumeState;
  /** What the meter showed at its two ends, m³; null: it shows no running total. */
  readonly before: number | null;
  readonly after: number | null;
  /** Of a part of a gap: the gap. */
  readonly partOfGap?: KnownGap;
}

/** A time in which nothing was heard, epoch ms, with what the counter shows for all of it, m³: when in it that flowed nobody knows. */
export interface KnownGap {
  readonly from: number;
  readonly to: number;
  readonly m3: number;
}

/** What a meter showed at a moment, epoch ms. */
export interface MeterReading {
  readonly at: number;
  readonly value: number;
}

const MINUTE = 60_000;
/**
 * Readings this far apart measure what lies between; one lost message of a quarter of an hour still shares it out. Clocks and radio
 * take some seconds: a minute stands for each quarter of an hour.
 */
export const MEASURED_MS = 16 * MINUTE;
export const SHARED_MS = 32 * MINUTE;
/** A meter that logs by volume has to say so often that it is alive: hourly. */
export const ALIVE_MS = 65 * MINUTE;
/** Its step lies in this time before it at most: a pump that stood still for a month took nothing in that month. */
export const STEP_SPREAD_MS = 6 * 60 * MINUTE;

/** Oldest first, one of each moment: of two the greater, in whichever order they came. */
export function inOrder(readings: readonly MeterReading[]): readonly MeterReading[] {
  const isOrdered = readings.every(
    ({ at, value }, index) => Number.isFinite(value) && at > (readings[index - 1]?.at ?? -Infinity),
  );
  if (isOrdered) return readings;
  const found: MeterReading[] = [];
  const sorted = readings
    .filter(({ value }) => Number.isFinite(value))
    .toSorted((a, b) => a.at - b.at || a.value - b.value);
  for (const reading of sorted) {
    if (found.at(-1)?.at === reading.at) found.pop();
    found.push(reading);
  }
  return found;
}

export const stateBetween = (from: number, to: number): VolumeState => {
  if (to - from <= MEASURED_MS) return 'measured';
  return to - from <= SHARED_MS ? 'shared' : 'missing';
};

/** The part of a stretch that lies between two moments; null: none. */
export function clippedStretch(stretch: VolumeStretch, from: number, to: number): VolumeStretch | null {
  const start = Math.max(stretch.from, from);
  const end = Math.min(stretch.to, to);
  if (end <= start) return null;
  if (start === stretch.from && end === stretch.to) return stretch;
  const part = { ...stretch, from: start, to: end, m3: partOf(stretch, start, end) };
  const gap = gapOf(stretch);
  return gap ? { ...part, partOfGap: gap } : part;
}

/** m³ of a stretch between two moments in it. Of a gap only the whole is known, or that nothing flowed. */
export function partOf({ from, to, m3, state }: VolumeStretch, start: number, end: number): number | null {
  if (m3 === null || m3 === 0 || (start <= from && end >= to)) return m3;
  return state === 'missing' ? null : (m3 * (end - start)) / (to - from);
}

const isGap = (stretch: VolumeStretch): stretch is VolumeStretch & KnownGap =>
  stretch.state === 'missing' && stretch.m3 !== null && stretch.m3 !== 0;

/** The gap that a stretch is, or is a part of: one object for all its parts. */
export const gapOf = (stretch: VolumeStretch): KnownGap | null =>
  stretch.partOfGap ?? (isGap(stretch) ? stretch : null);

/** Nothing is known of that time. */
export const unknownStretch = (from: number, to: number): VolumeStretch => ({
  from,
  to,
  m3: null,
  state: 'missing',
  before: null,
  after: null,
});
