import { COUNTER_REGISTERS, counterStep } from '@headrace/contract/rules/counter';
import { ALIVE_MS } from '@headrace/contract/rules/water-take/volume';
import type { Rollup, RollupSeries } from './rollup-query.ts';
import { stepBetween } from './step-between.ts';

/** Of what is counted in fractions, so little is none. */
const HARDLY_ANY = 1e-6;
/** So few counts over a register's end are believed wherever, and so many times as fast as beside it: as of water takes. */
const [FEW_COUNTS, FASTER] = [32, 2];

/** What rows count that don't count what they say. */
type Recounts = Map<Rollup, number>;

/** All rows that were read of a running total, oldest first, and what those count around its falls. */
export interface Falls {
  readonly told: readonly Rollup[];
  readonly recounts: ReadonlyMap<Rollup, number>;
}

/** `wrapAt`: where the register ends, null: the device doesn't say. */
export function fallsOf({ before, rows, after, beyond }: RollupSeries, wrapAt: number | null): Falls {
  const all = [...(beyond?.earlier ?? []), before, ...rows, after, ...(beyond?.later ?? [])];
  const told = all.filter(hasValue);
  return { told, recounts: recountsOf(told, wrapAt) };
}

/** A total that fell: what it had shown, what its row counted up to that, where it then showed less at first, and when. */
interface Fall {
  readonly from: number;
  readonly reached: number;
  readonly place: number;
  readonly at: number;
}

/**
 * Readings or hours of a running total without what it counted where it fell and came back, or jumped and fell back, within an hour: a
 * register never goes back, so that nobody measured it (decision 346, which has the same rule for water takes). What counts then is the
 * way between the totals in order; how fast it was isn't known.
 */
export function withoutComebacks(series: RollupSeries, { recounts }: Falls): RollupSeries {
  const { before, rows, after } = series;
  if (recounts.size === 0) return series;
  const recounted = (row: Rollup): Rollup => {
    const rises = recounts.get(row);
    return rises === undefined ? row : { ...row, rises, fastest: null };
  };
  return { before, rows: rows.map(recounted), after: after && recounted(after) };
}

/**
 * Days in which a running total didn't only go on, each with the day after it: whether it came back or began anew is seen in their hours,
 * a meter that is zeroed each morning does both.
 */
export function daysWithFalls({ before, rows, beyond }: RollupSeries): Rollup[] {
  const found: Rollup[] = [];
  let last = beyond?.earlier.at(-1);
  let hadFall = false;
  for (const row of [before, ...rows].filter(hasValue)) {
    const hasFall = isMore(row.rises, row.lastValue - (last?.lastValue ?? row.firstValue));
    if ((hasFall || hadFall) && row !== before) found.push(row);
    hadFall = hasFall;
    last = row;
  }
  return found;
}

const hasValue = (row: Rollup | null): row is Rollup =>
  row !== null && row.n > 0 && Number.isFinite(row.lastValue);

const isMore = (counted: number, way: number) => counted - way > HARDLY_ANY * Math.max(1, counted);

const isSoon = (from: Rollup, to: Rollup) => to.firstAt - from.lastAt <= ALIVE_MS;

function recountsOf(told: readonly Rollup[], wrapAt: number | null): Recounts {
  const recounts: Recounts = new Map();
  let fall: Fall | null = null;
  for (const [place, row] of told.entries()) {
    const last = told[place - 1];
    if (fall && isBackFrom(fall, row) && hasGoneRound(told, [fall.place - 1, fall.place, place], wrapAt))
      fall = null;
    if (fall && isBackFrom(fall, row)) {
      recount(recounts, told.slice(fall.place, place), fall.reached);
      recounts.set(row, row.lastValue - fall.from);
      fall = null;
      continue;
    }
    if (fall && row.firstAt - fall.at > ALIVE_MS) fall = null;
    const { before, way } = countedWithin(row, last, wrapAt);
    if (way >= 0) withinRow(recounts, row, last, wrapAt);
    else if (!fellBack(recounts, told, place, wrapAt)) {
      const began = row.lastValue - way;
      const from = Math.max(began, row.max);
      fall ??= { from, reached: before + from - began, place, at: row.lastAt };
    }
  }
  return recounts;
}

/**
 * It went on from where it had been, whatever it did between; but for whole turns of a register, which are as long as it is. After a
 * silence it may have begun anew: then from its first reading.
 */
function withinRow(recounts: Recounts, row: Rollup, last: Rollup | undefined, wrapAt: number | null): void {
  const { before, way, surplus } = countedWithin(row, last, wrapAt);
  if (surplus > 0 && !isTurns(surplus, wrapAt)) recounts.set(row, before + way);
}

/** What a row counted before its first reading, what way its total went, and what it counted beyond that; 0: nothing, or it fell. */
function countedWithin(row: Rollup, last: Rollup | undefined, wrapAt: number | null) {
  const isOn = last !== undefined && isSoon(last, row);
  const before = isOn
    ? 0
    : stepBetween(last?.lastValue ?? null, row.firstValue, { isCounter: true, wrapAt }).rise;
  const way = row.lastValue - (isOn ? last.lastValue : row.firstValue);
  const counted = row.rises - before;
  return { before, way, surplus: way >= 0 && isMore(counted, way) ? counted - way : 0 };
}

const isTurns = (surplus: number, wrapAt: number | null) =>
  (wrapAt === null ? COUNTER_REGISTERS : [wrapAt]).some((end) => {
    const turns = Math.round(surplus / end);
    return turns > 0 && Math.abs(surplus - turns * end) <= HARDLY_ANY * surplus;
  });

/**
 * Hours that counted whole turns of a register, and far faster than the hours beside them, and those that are doubted around its end: one
 * wrong total looks the same, where the way to it and back is a turn. Their readings tell which it was.
 */
export function turnsInDoubt(
  { rows }: RollupSeries,
  { told, recounts }: Falls,
  wrapAt: number | null,
): Rollup[] {
  const inDoubt = new Set<Rollup>();
  for (const [place, row] of told.entries()) {
    const last = told[place - 1];
    const { surplus } = countedWithin(row, last, wrapAt);
    if (isTurns(surplus, wrapAt) && !isLikeBeside(told, place - 1, place)) inDoubt.add(row);
    if (!last || !isSoon(last, row) || !isOver(last, row, wrapAt)) continue;
    const around = told.slice(Math.max(0, place - HOURS_AROUND), place + HOURS_AROUND + 1);
    for (const one of around) if (recounts.has(one)) inDoubt.add(one);
  }
  return rows.filter((row) => inDoubt.has(row));
}
/** What comes back within 65 minutes touches no more on either side. */
const HOURS_AROUND = 2;

const isOver = (last: Rollup, row: Rollup, wrapAt: number | null) =>
  counterStep(last.lastValue, row.firstValue, { wrapAt }).how === 'rolledOver';

/** Shows at least as much again soon after: with its first reading, or else before its last. */
function isBackFrom({ from, at }: Fall, row: Rollup): boolean {
  if (row.lastValue < from) return false;
  return (row.firstValue >= from ? row.firstAt : row.lastAt) - at <= ALIVE_MS;
}

/** Whether rows just before this one showed more than it does, and those before them less: these had jumped. */
function fellBack(
  recounts: Recounts,
  told: readonly Rollup[],
  place: number,
  wrapAt: number | null,
): boolean {
  const row = told[place];
  if (!row) return false;
  let high = place;
  const isHigh = (one: Rollup | undefined) =>
    one !== undefined && one.lastValue > row.lastValue && row.firstAt - one.lastAt <= ALIVE_MS;
  while (isHigh(told[high - 1])) high -= 1;
  const [inOrder, jumped] = [told[high - 1], told[high]];
  if (high === place || !inOrder || !jumped || !isSoon(inOrder, jumped)) return false;
  // Else this row fell itself, below what was in order.
  if (inOrder.lastValue > Math.min(row.firstValue, row.lastValue)) return false;
  if (hasGoneRound(told, [high - 1, place, place], wrapAt)) return true;
  recount(recounts, told.slice(high, place), 0);
  recounts.set(row, row.lastValue - inOrder.lastValue);
  return true;
}

/**
 * Whether a total that fell (to the row at `fell`) between two that are in order ran over the end of its register, as a small one does
 * within an hour: from the one to the other it counted hardly any faster than just before or just after, or evenly.
 */
function hasGoneRound(
  told: readonly Rollup[],
  [first, fell, last]: readonly [first: number, fell: number, last: number],
  wrapAt: number | null,
): boolean {
  const [before, row] = [told[fell - 1], told[fell]];
  if (!before || !row) return false;
  return isOver(before, row, wrapAt) && (isLikeBeside(told, first, last) || isEven(told, first, last));
}

function isLikeBeside(told: readonly Rollup[], first: number, last: number): boolean {
  const [a, b] = [told[first], told[last]];
  if (!a || !b) return false;
  const counted = told.slice(first + 1, last + 1).reduce((sum, { rises }) => sum + rises, 0);
  const beside = Math.max(rateAt(told, first), rateAt(told, last + 1));
  return counted <= Math.max(FEW_COUNTS, FASTER * beside * (b.lastAt - a.lastAt));
}

/** Of four rows and more: none is twice as fast as another; but water may begin in the first of them, and end in the last. */
function isEven(told: readonly Rollup[], first: number, last: number): boolean {
  const rates = Array.from({ length: last - first }, (_none, nth) => rateAt(told, first + 1 + nth));
  const slowest = Math.min(...rates.slice(1, -1));
  return rates.length >= 4 && rates.every((rate) => rate <= FASTER * slowest);
}

/** Counts a millisecond since the row before; 0: there is none soon before. */
function rateAt(told: readonly Rollup[], place: number): number {
  const [last, row] = [told[place - 1], told[place]];
  return last && row && isSoon(last, row) ? row.rises / (row.lastAt - last.lastAt) : 0;
}

/** The first of them counts so much, the others nothing. */
function recount(recounts: Recounts, rows: readonly Rollup[], first: number): void {
  for (const [nth, row] of rows.entries()) recounts.set(row, nth === 0 ? first : 0);
}
