import type { Timezone } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import { exactTime, minuteText } from '../../ui/format.ts';

type Valve = Pick<IpcStatus, 'belief' | 'activeAt'>;

/** Near times go without their day, ms. */
const NEAR_MS = 12 * 3_600_000;

function timeText(at: number, zone: Timezone | null | undefined, now: number): string {
  return zone && Math.abs(at - now) < NEAR_MS ? minuteText(at, zone) : exactTime(at, zone);
}

/** What its schedule has for it: "Waters until 21:10"; null: nothing. */
export function plannedWords(
  { activeAt }: Valve,
  zone: Timezone | null | undefined,
  now: number,
): string | null {
  const run = activeAt.find(({ activeNow }) => activeNow) ?? activeAt[0];
  if (!run) return null;
  return run.activeNow
    ? `Waters until ${timeText(run.endAt, zone, now)}`
    : `Waters next at ${timeText(run.startAt, zone, now)}`;
}

const openWithoutEnd = {
  foreign: 'Open, by a schedule that was not sent from here',
  none: 'Open, though neither a schedule nor a command asks for it',
  unknown: 'Open; what asks for it is not known',
  // Their ends are always known.
  schedule: 'Open',
  command: 'Open',
} as const;

/** What the valve is taken to do, where that isn't simply what it last said; null: it is. */
export function takenWords({ belief }: Valve, zone: Timezone | null | undefined, now: number): string | null {
  if (!belief) return null;
  const { state, since, until, basis, cause } = belief;
  const sinceText = since === null ? '' : timeText(since, zone, now);
  const untilText = until === null ? '' : timeText(until, zone, now);
  switch (state) {
    case 'open': {
      if (until === null) return openWithoutEnd[cause];
      const by = cause === 'command' ? 'by its Valve On' : 'by its schedule';
      return basis === 'answered'
        ? `Open, as it answered at ${sinceText}, until about ${untilText} ${by}`
        : `Open until about ${untilText} ${by}`;
    }
    case 'mayBeOpen':
      return `Should be open until ${untilText} by its schedule; it has not said so`;
    case 'openOverdue':
      return `Should be closed by now (${untilText}); its valve not heard since ${sinceText}`;
    case 'closed':
      return basis === 'answered'
        ? `Closed, as it answered a Valve Off at ${sinceText}`
        : 'Closed, as far as is known: nothing asks for it to be open';
    case 'unknown':
      return since === null
        ? 'Not known: it was never heard'
        : basis === 'none'
          ? `Not known: heard last at ${sinceText}`
          : `Not known: it may have been opened since ${sinceText}`;
    default:
      return state satisfies never;
  }
}
