import type { IpcStatus } from '@headrace/contract/groups';
import type { FarmView } from './farm-view.ts';
import type { ParentNow } from './parents.ts';

/** After its gateway is back a valve has so long to say that it closed, ms. */
const HEARD_AGAIN_MS = 30 * 60_000;

/**
 * Valves of scheduled runs that were open when their gateway went: they close by their own clock, and nobody hears of it. How many, and
 * until when; null: none.
 */
export async function valvesBehind(
  view: FarmView,
  { id, awaySince }: ParentNow,
): Promise<{ count: number; until: number } | null> {
  const units = awaySince === null ? [] : await view.units();
  const ends = units.flatMap(({ row, status }) =>
    row.gateway_id === id && closesUnheard(status, awaySince ?? 0) ? (status.belief?.until ?? []) : [],
  );
  return ends.length === 0 ? null : { count: ends.length, until: Math.max(...ends) };
}

/** Of a Valve On nothing is taken for granted: it has no clock of its own that closes it. */
const closesUnheard = ({ belief }: IpcStatus, awaySince: number): boolean =>
  belief !== null &&
  belief.cause === 'schedule' &&
  (belief.state === 'open' || belief.state === 'openOverdue') &&
  (belief.until ?? 0) >= awaySince;

/** Whether a valve that should have closed is told with its gateway, which is away or has just come back. */
export function isNotifiedWithGateway(
  status: IpcStatus,
  { awaySince, back, isReturnNotified }: ParentNow,
  now: number,
): boolean {
  if (awaySince !== null) return closesUnheard(status, awaySince);
  if (back === null || !isReturnNotified || now >= back.at + HEARD_AGAIN_MS) return false;
  return closesUnheard(status, back.at - back.awayMs);
}
