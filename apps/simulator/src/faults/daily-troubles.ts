import type { FarmProfile, Trouble } from '@headrace/demo/profile';
import { createLocalClock } from '../models/local-time.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Faults } from './faults.ts';

const minuteMs = 60_000;
const dayMinutes = 1440;

/** What goes wrong on a farm each day, at its time by the farm's clock, and mends itself. */
export function startDailyTroubles(
  profile: FarmProfile,
  faults: Faults,
  scheduler: Scheduler,
  now: number,
): void {
  const local = createLocalClock(profile.timeZone);

  function waitFor(trouble: Trouble, from: number): void {
    const left = (trouble.atMinute - Math.floor(local(from).hour * 60) + dayMinutes) % dayMinutes;
    // One that is due this minute had its turn.
    scheduler.add(from + (left === 0 ? dayMinutes : left) * minuteMs, (at) => begin(trouble, at));
  }

  function begin(trouble: Trouble, at: number): void {
    const { mac, kind, minutes } = trouble;
    faults.add(mac, { kind, since: at, until: at + minutes * minuteMs, value: 0 });
    waitFor(trouble, at);
  }

  for (const trouble of profile.troubles ?? []) waitFor(trouble, now);
}
