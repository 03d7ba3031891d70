import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { NewUnit } from './commands.repo.ts';

const DAY_MINUTES = 1440;
/** All units of a line have waterings of one length, as a rule: a few of them say whether it changes. */
const SAMPLES = 3;

type Programmes = ReadonlyMap<number, { readonly entries: readonly ScheduleEntry[] }>;
type Lines = ReadonlyMap<string, readonly NewUnit[]>;

/** Of each line some units whose present programmes say whether its waterings get longer. */
export function lineSamples(units: readonly NewUnit[]): number[] {
  return [...linesOf(units).values()].flatMap((line) => samplesOf(line).map(({ deviceId }) => deviceId));
}

/**
 * Units of a line in the order in which fewer minutes are watered by two of them at once while a part of it still holds the
 * plan before: from the first on where waterings get shorter or stay, from the last on where they get longer. Each line keeps the
 * places that it has among the others. `before`: what the samples are to water by until now.
 */
export function inLineOrder(
  units: readonly NewUnit[],
  before: Programmes,
  cycleDays: number,
): readonly NewUnit[] {
  const lines = linesOf(units);
  if (lines.size === 0) return units;
  const next = new Map(
    [...lines].map(([name, line]) => {
      const ordered = byTurn(line, cycleDays * DAY_MINUTES);
      return [name, (growth(line, before) > 0 ? ordered.toReversed() : ordered).values()] as const;
    }),
  );
  return units.map((unit) => next.get(lineOf(unit))?.next().value ?? unit);
}

const lineOf = ({ scheduleGroup = '' }: NewUnit) => scheduleGroup;

/** Of what is to hold nothing there is none. */
function linesOf(units: readonly NewUnit[]): Lines {
  const lines = new Map<string, NewUnit[]>();
  for (const unit of units) {
    if (lineOf(unit) === '') continue;
    const line = lines.get(lineOf(unit));
    if (line) line.push(unit);
    else lines.set(lineOf(unit), [unit]);
  }
  return lines;
}

const samplesOf = (line: readonly NewUnit[]) => line.slice(0, SAMPLES);

/** By how many minutes waterings get longer. */
function growth(line: readonly NewUnit[], before: Programmes): number {
  return samplesOf(line).reduce((sum, { deviceId, entries = [] }) => {
    const old = before.get(deviceId)?.entries ?? [];
    return old.length === 0 ? sum : sum + minutesOf(entries) - minutesOf(old);
  }, 0);
}

const minutesOf = (entries: readonly ScheduleEntry[]) =>
  entries.reduce((sum, { duration }) => sum + duration, 0);

/** As they water one after the other. A line may go on over midnight: it begins after its longest pause. */
function byTurn(line: readonly NewUnit[], ring: number): readonly NewUnit[] {
  const turns = line
    .map((unit) => ({ unit, at: firstMinute(unit) }))
    .toSorted((one, other) => one.at - other.at);
  let [begin, longest] = [0, -1];
  for (const [place, { at }] of turns.entries()) {
    const last = turns.at(place - 1)?.at ?? at;
    const pause = place === 0 ? at - last + ring : at - last;
    if (pause > longest) [begin, longest] = [place, pause];
  }
  return [...turns.slice(begin), ...turns.slice(0, begin)].map(({ unit }) => unit);
}

const firstMinute = ({ entries = [] }: NewUnit) =>
  Math.min(...entries.map(({ start, cycle }) => (cycle - 1) * DAY_MINUTES + start));
