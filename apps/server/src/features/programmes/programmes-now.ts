import type { ScheduleEntry } from '@headrace/device/schedule-crc';

/** A schedule as a unit is to hold it, or holds it, with the set that it comes from. Times in epoch ms. */
interface SetOf {
  readonly setId: string | null;
  readonly setName: string | null;
  readonly crc: string;
  readonly since: number;
}
interface WantedNow extends SetOf {
  readonly scheduleGroup: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
  readonly commandId: string | null;
}
interface HeldNow extends SetOf {
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycleDays: number | null;
  readonly how: 'said' | 'answered';
  readonly stoppedAt: number | null;
}
/** Null: it was never sent anything; nobody knows what it holds. */
export interface ProgrammesNow {
  readonly wanted: WantedNow | null;
  readonly held: HeldNow | null;
  /** Since when a person wants it to water nothing, whatever it says, epoch ms; null: nobody does. */
  readonly stopWanted: number | null;
  /** Until when a paddock hold keeps it from watering, epoch ms; null: none does. */
  readonly holdUntil: number | null;
}
