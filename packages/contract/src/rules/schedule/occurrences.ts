import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { cycleDayOf, type OffsetAt, wateringStart } from '@headrace/device/watering-start';
import type { Timezone } from '../../farms.ts';
import { farmOffsetSeconds } from '../farm-time.ts';
import { farmDayOf } from './cycle-day.ts';
import type { Programme } from './programme.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/**
 * What the farm's clock does to a run: its start was skipped (it begins at the change), its start comes twice (it begins the first
 * time), the clock changes while it is under way, or nothing.
 */
export type ClockChange = 'plain' | 'skipped' | 'doubled' | 'across';

/** An entry on a day: when the unit will water by it. Times in epoch ms. */
export interface Occurrence {
  readonly startAt: number;
  readonly endAt: number;
  readonly entry: ScheduleEntry;
  readonly clock: ClockChange;
}

/** All that begin from `from` to just before `to` (epoch ms), by the agreement with units (docs/device-protocol.md), oldest first. */
export function occurrences(
  { entries, cycleDays }: Programme,
  zone: Timezone,
  from: number,
  to: number,
): readonly Occurrence[] {
  const offsetAt: OffsetAt = (at) => farmOffsetSeconds(zone, at) * 1000;
  const found: Occurrence[] = [];
  const last = farmDayOf(zone, to);
  for (let day = farmDayOf(zone, from); day <= last; day += 1) {
    const cycleDay = cycleDayOf(day, cycleDays);
    for (const entry of entries) {
      if (entry.cycle !== cycleDay) continue;
      const startAt = wateringStart(offsetAt, day, entry.start);
      if (startAt < from || startAt >= to) continue;
      const endAt = startAt + entry.duration * MINUTE;
      const local = day * DAY + entry.start * MINUTE;
      found.push({ startAt, endAt, entry, clock: clockChange(offsetAt, local, startAt, endAt) });
    }
  }
  return found.toSorted((one, other) => one.startAt - other.startAt || one.entry.start - other.entry.start);
}

function clockChange(offsetAt: OffsetAt, local: number, startAt: number, endAt: number): ClockChange {
  const shows = (at: number) => at + offsetAt(at) === local;
  if (!shows(startAt)) return 'skipped';
  const again = local - offsetAt(local + DAY);
  if (again !== startAt && shows(again)) return 'doubled';
  return offsetAt(startAt) === offsetAt(endAt - 1) ? 'plain' : 'across';
}
