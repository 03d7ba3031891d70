import type { TakeRow } from './rows.ts';
import { partOf, type VolumeState, type VolumeStretch } from './volume.ts';

/** What a person read off the meter itself, m³, epoch ms. */
export interface RegisterReading {
  readonly at: number;
  readonly m3: number;
}

/** The register between two readings of it beside what came by telemetry, m³. */
export interface RegisterCheck {
  readonly from: number;
  readonly to: number;
  readonly register: number;
  /** Null: not all of it is known. */
  readonly telemetry: number | null;
  /** (register − telemetry) ÷ telemetry × 100; null: it can't be told. */
  readonly percent: number | null;
  readonly isGood: boolean;
}

/** A check is good within this, %. */
export const GOOD_PERCENT = 1;

export function checksOf(
  readings: readonly RegisterReading[],
  stretches: readonly VolumeStretch[],
): RegisterCheck[] {
  const ordered = readings.toSorted((a, b) => a.at - b.at);
  return ordered.slice(1).map((reading, index) => {
    const before = ordered[index] ?? reading;
    const register = reading.m3 - before.m3;
    const telemetry = volumeBetween(stretches, before.at, reading.at);
    const percent = telemetry === null ? null : differenceOf(register, telemetry);
    const isGood = register >= 0 && percent !== null && Math.abs(percent) <= GOOD_PERCENT;
    return { from: before.at, to: reading.at, register, telemetry, percent, isGood };
  });
}

function differenceOf(register: number, telemetry: number): number | null {
  if (telemetry === 0) return register === 0 ? 0 : null;
  return ((register - telemetry) / telemetry) * 100;
}

/** m³ by telemetry between two moments; null where a part of that time isn't known. The stretches lie one after the other. */
export function volumeBetween(stretches: readonly VolumeStretch[], from: number, to: number): number | null {
  let [sum, at] = [0, from];
  for (let index = firstEndingAfter(stretches, from); ; index += 1) {
    const stretch = stretches[index];
    if (!stretch || stretch.from >= to) break;
    if (stretch.from > at) return null;
    const part = partOf(stretch, Math.max(stretch.from, from), Math.min(stretch.to, to));
    if (part === null) return null;
    sum += part;
    at = Math.min(stretch.to, to);
  }
  return at < to ? null : sum;
}

/** By halves: a year of stretches is looked through for each of hundreds of readings. */
function firstEndingAfter(stretches: readonly VolumeStretch[], at: number): number {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((stretches[middle]?.to ?? Infinity) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Quality codes of the national schema (NEMS, version 3): a proposal, councils differ. */
const codes: Readonly<Record<VolumeState, number>> = {
  measured: 0,
  shared: 500,
  estimated: 300,
  missing: 100,
};
const CHECKED = 600;

/**
 * Rows with their codes, both in the order of time. Measured ones are verified where they lie between two readings of the register that
 * agree with them.
 */
export function* codedRows<Row extends Pick<TakeRow, 'state' | 'end'>>(
  rows: Iterable<Row>,
  checks: readonly RegisterCheck[],
): Generator<Row & { readonly code: number }, void> {
  const good = goodTimes(checks);
  let next = 0;
  for (const row of rows) {
    while ((good[next]?.to ?? Infinity) < row.end) next += 1;
    const isChecked = (good[next]?.from ?? Infinity) < row.end;
    yield { ...row, code: isChecked && row.state === 'measured' ? CHECKED : codes[row.state] };
  }
}

/** One after the other: those of several meters may overlap. */
function goodTimes(checks: readonly RegisterCheck[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const { from, to } of checks.filter(({ isGood }) => isGood).toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else found.push({ from, to });
  }
  return found;
}
