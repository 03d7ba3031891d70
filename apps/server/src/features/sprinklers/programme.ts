import { cycleDayNow, type FarmCalendar } from '@headrace/contract/rules/active-now';
import { CYCLE_DAYS_MAX } from '@headrace/contract/rules/schedule/programme';
import type { ValveFacts } from '@headrace/contract/rules/valve-belief';
import { inhibitedCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';

/** What a unit is to water by. */
export interface WantedProgramme {
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycle_days: number;
}

/** What a unit holds, by its own word or its answer; `entries` null: not known what it is. */
export interface HeldProgramme {
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycle_days: number | null;
  /** It said so itself, or answered that it took it. */
  readonly how: 'said' | 'answered';
}

/** What a unit waters by. */
export interface WateringProgramme {
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
  /** Which day of the cycle it said it was, and when (epoch ms); null: it has not said. */
  readonly reportedDay: { readonly day: number; readonly at: number } | null;
  readonly held: ValveFacts['held'];
}

interface UnitProgrammes {
  readonly wanted: WantedProgramme | null;
  readonly held: HeldProgramme | null;
  readonly cycle_len: number | null;
  readonly cycle_day: number | null;
  readonly cycle_day_at: number | null;
}

const NO_ENTRIES: readonly ScheduleEntry[] = [];

/** What it holds; where nobody knows that, what it is to hold. A schedule that Headrace did not send has no entries. */
export function programmeOf(unit: UnitProgrammes): WateringProgramme {
  const held = heldOf(unit);
  const source = held === 'unknown' ? unit.wanted : unit.held;
  const { cycle_day: day, cycle_day_at: at } = unit;
  return {
    entries: source?.entries ?? NO_ENTRIES,
    cycleDays: daysOrNull(unit.cycle_len) ?? source?.cycle_days ?? unit.wanted?.cycle_days ?? 1,
    reportedDay: day === null || at === null ? null : { day, at },
    held,
  };
}

/** What it holds, against what it is to hold. */
function heldOf({ wanted, held }: UnitProgrammes): WateringProgramme['held'] {
  if (held === null || (held.entries === null && held.crc === inhibitedCrc)) return 'unknown';
  if (held.entries === null) return 'foreign';
  if (held.entries.length === 0) return 'nothing';
  return held.crc === wanted?.crc ? 'wanted' : 'older';
}

interface SentProgrammes extends Pick<UnitProgrammes, 'wanted' | 'held'> {
  readonly is_sending: boolean;
}

/** A send to it has no end yet, or it took what was sent and has not said since what it holds. */
export const isScheduleComing = ({ wanted, held, is_sending: isSending }: SentProgrammes): boolean =>
  wanted !== null && (isSending || (held?.how === 'answered' && held.crc === wanted.crc));

/** A device can say any number: longer cycles than a year aren't believed. */
function daysOrNull(days: number | null): number | null {
  return days !== null && days >= 1 && days <= CYCLE_DAYS_MAX ? days : null;
}

/** The day of the cycle at the calendar's moment; null: nobody knows. */
export function cycleAt(
  { cycleDays: length, reportedDay }: Pick<WateringProgramme, 'cycleDays' | 'reportedDay'>,
  calendar: FarmCalendar,
): { day: number; length: number } | null {
  const day = cycleDayNow(calendar, reportedDay, length);
  return day === null ? null : { day, length };
}
