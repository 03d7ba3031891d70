import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { cycleDayOf, type OffsetAt, wateringStart } from '@headrace/device/watering-start';
import type { Timezone } from '../../farms.ts';
import { type FarmClock, farmOffsetSeconds } from '../farm-time.ts';
import { farmDayOf } from './cycle-day.ts';
import type { Programme } from './programme.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/**
 * What the farm's clock does to a run: its start was skipped (it begins at the change), its start comes twice (it begins the first
 * time), the clock changes while it is under way, or nothing.
 */
export const clockChanges = ['plain', 'skipped', 'doubled', 'across'] as const;
export type ClockChange = (typeof clockChanges)[number];

/** An entry on a day: when the unit will water by it. Times in epoch ms. */
export interface Occurrence {
  readonly startAt: number;
  readonly endAt: number;
  readonly entry: ScheduleEntry;
  readonly clock: ClockChange;
}

/** All that begin from `from` to just before `to` (epoch ms), by the agreement with units (docs/device-protocol.md), oldest first. */
export function occurrences(
  { entries, cycleDays }: Pick<Programme, 'entries' | 'cycleDays'>,
  zone: Timezone,
  from: number,
  to: number,
): readonly Occurrence[] {
  const found: Occurrence[] = [];
  const last = farmDayOf(zone, to);
  for (let day = farmDayOf(zone, from); day <= last; day += 1) {
    const cycleDay = cycleDayOf(day, cycleDays);
    const offset = steadyOffset(zone, day);
    for (const entry of entries) {
      if (entry.cycle !== cycleDay) continue;
      const one = offset === null ? nearChange(zone, day, entry) : onPlainDay(offset, day, entry);
      if (one.startAt >= from && one.startAt < to) found.push(one);
    }
  }
  if (entries.length === 1) return found;
  return found.toSorted((one, other) => one.startAt - other.startAt || one.entry.start - other.entry.start);
}

/** On a day that no clock change is near. Offset in ms. */
function onPlainDay(offset: number, day: number, entry: ScheduleEntry): Occurrence {
  const startAt = day * DAY + entry.start * MINUTE - offset;
  return { startAt, endAt: startAt + entry.duration * MINUTE, entry, clock: 'plain' };
}

function nearChange(zone: Timezone, day: number, entry: ScheduleEntry): Occurrence {
  const offsetAt: OffsetAt = (at) => farmOffsetSeconds(zone, at) * 1000;
  const startAt = wateringStart(offsetAt, day, entry.start);
  const endAt = startAt + entry.duration * MINUTE;
  const local = day * DAY + entry.start * MINUTE;
  return { startAt, endAt, entry, clock: clockChange(offsetAt, local, startAt, endAt) };
}

/** By zone and day. Thousands of sprinklers ask of the same few days, and looking an offset up costs more than the rest. */
const steadyOffsets = new WeakMap<Timezone, Map<number, number | null>>();

/**
 * How far the farm's clock is ahead of UTC, ms, all through the times that waterings of a day can touch: from the day before to
 * two days after it. Null: it changes in that time. No zone changes its clock and back within four days, but a person can.
 */
function steadyOffset(zone: FarmClock, day: number): number | null {
  let known = steadyOffsets.get(zone);
  if (!known) steadyOffsets.set(zone, (known = new Map()));
  let offset = known.get(day);
  if (offset === undefined) {
    const [before, after] = [day - 1, day + 3].map((one) => farmOffsetSeconds(zone, one * DAY) * 1000);
    const isSet = zone.before?.some(({ until }) => until > (day - 1) * DAY && until < (day + 3) * DAY);
    offset = before !== undefined && before === after && !isSet ? before : null;
    known.set(day, offset);
  }
  return offset;
}

/**
 * The first `count` that end after `now` (epoch ms), oldest first: what is under way and what comes. Fewer where the programme
 * has none.
 */
export function nextOccurrences(
  programme: Pick<Programme, 'entries' | 'cycleDays'>,
  zone: Timezone,
  now: number,
  count: number,
): readonly Occurrence[] {
  const entries = programme.entries.filter(({ cycle }) => cycle >= 1 && cycle <= programme.cycleDays);
  if (entries.length === 0) return [];
  const longest = Math.max(...entries.map(({ duration }) => duration)) * MINUTE;
  const cycles = Math.ceil(count / entries.length) + 1;
  // A day more: the last may be shorter by a change of the clock.
  const to = now + (cycles * programme.cycleDays + 1) * DAY;
  return occurrences(programme, zone, now - longest, to)
    .filter(({ endAt }) => endAt > now)
    .slice(0, count);
}

function clockChange(offsetAt: OffsetAt, local: number, startAt: number, endAt: number): ClockChange {
  const shows = (at: number) => at + offsetAt(at) === local;
  if (!shows(startAt)) return 'skipped';
  const again = local - offsetAt(local + DAY);
  if (again !== startAt && shows(again)) return 'doubled';
  return offsetAt(startAt) === offsetAt(endAt - 1) ? 'plain' : 'across';
}
