import { FUTURE_TOLERANCE_MS } from '@headrace/contract/limits';

const DAY_MS = 86_400_000;

/** A device's clock, or ours, is wrong. Both epoch ms. */
export const isAhead = (at: number, receivedAt: number): boolean => at > receivedAt + FUTURE_TOLERANCE_MS;

/** Why a reading of this time (epoch ms) can't be kept, or null. Judged when it arrived, so that trying again changes nothing. */
export function timeFault(at: number, receivedAt: number, retentionDays: number): string | null {
  if (at < receivedAt - retentionDays * DAY_MS)
    return `time ${new Date(at).toISOString()} is older than the ${retentionDays} days that readings are kept`;
  if (isAhead(at, receivedAt))
    return `time ${new Date(at).toISOString()} is more than ${FUTURE_TOLERANCE_MS / 60_000} minutes ahead of the clock`;
  return null;
}
