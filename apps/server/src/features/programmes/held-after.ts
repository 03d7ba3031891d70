import { inhibitedCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';

/** A report or an answer by which a sprinkler holds a schedule with this checksum. `at` in epoch ms. */
export interface HeldReport {
  readonly at: number;
  readonly crc: string;
  readonly how: 'said' | 'answered';
  /** The schedule itself. For a report it is found by the checksum; null if we know none with it. */
  readonly programme: HeldProgramme | null;
}

export interface HeldProgramme {
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
}

/** What a sprinkler holds. Times in epoch ms. */
export interface Held {
  readonly since: number;
  readonly crc: string;
  readonly how: 'said' | 'answered';
  /** Null: not known what it is. */
  readonly programme: HeldProgramme | null;
  /** When it stopped watering by it, because it was inhibited. */
  readonly stoppedAt: number | null;
}

/** How far a unit's clock may be ahead; readings are accepted up to the same limit. ms */
const AHEAD_MS = 10 * 60_000;
const nothing: HeldProgramme = { entries: [], cycleDays: 1 };

/**
 * What a sprinkler holds after a report; the same object if the report changes nothing. A report that is older than what is known changes
 * nothing. An answer does, even if a report with a fast clock seems to be newer.
 *
 * `D6:DA` means inhibited as well as empty. With `mayBeStopped` (it should hold a schedule, or somebody stopped it) a sprinkler that held a
 * schedule still holds it, inhibited. A sprinkler that was never heard before then holds something unknown; without `mayBeStopped` it
 * holds nothing.
 */
export function heldAfter(now: Held | null, report: HeldReport, mayBeStopped: boolean): Held | null {
  const isAnswer = report.how === 'answered';
  if (now && report.at < now.since - (isAnswer ? AHEAD_MS : 0)) return now;
  const at = Math.max(report.at, isAnswer ? (now?.since ?? 0) : 0);
  return report.crc === inhibitedCrc && !isAnswer
    ? afterNone(now, at, mayBeStopped)
    : afterSchedule(now, { ...report, at });
}

function afterNone(now: Held | null, at: number, mayBeStopped: boolean): Held {
  if (now?.crc === inhibitedCrc || (now && now.stoppedAt !== null)) return now;
  if (now && mayBeStopped) return { ...now, stoppedAt: at };
  return {
    since: at,
    crc: inhibitedCrc,
    how: 'said',
    programme: mayBeStopped ? null : nothing,
    stoppedAt: null,
  };
}

function afterSchedule(now: Held | null, { at, crc, how, programme }: HeldReport): Held {
  if (!now || !isSame(now, { crc, how, programme }))
    return { since: at, crc, how, programme, stoppedAt: null };
  const same = now.programme ?? programme;
  // What it was stopped for stays known of the days before.
  if (now.stoppedAt !== null) return { since: at, crc, how, programme: same, stoppedAt: null };
  return same === now.programme ? now : { ...now, programme: same };
}

/** The same entries in another cycle are another schedule: an answer tells which, a report doesn't. */
const isSame = (now: Held, { crc, how, programme }: Omit<HeldReport, 'at'>) =>
  now.crc === crc &&
  (how === 'said' || now.programme === null || now.programme.cycleDays === programme?.cycleDays);
