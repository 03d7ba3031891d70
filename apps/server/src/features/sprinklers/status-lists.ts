import type { IpcStatus } from '@headrace/contract/groups';
import { type FarmContext, steadyStatus } from './present-status.ts';
import type { GatewayLimits } from '../gateways/unit-limits.repo.ts';
import type { SprinklerRow } from './sprinkler-status.repo.ts';

/** The statuses of a farm's rows, for what they were reckoned, and from when until when all of them hold (epoch ms). */
interface Kept {
  readonly rows: readonly SprinklerRow[];
  readonly statuses: readonly IpcStatus[];
  readonly key: string;
  readonly from: number;
  readonly until: number;
}

/**
 * The statuses of whole farms. While the farm and the clock make none another, only those are looked at whose row is another object than
 * at its place before: of five thousand, on most calls a few. Kept as long as `farm` is.
 */
export function createStatusLists() {
  const lists = new WeakMap<object, Kept>();
  return (
    farm: object,
    rows: readonly SprinklerRow[],
    context: FarmContext,
    gateways: readonly GatewayLimits[],
  ): readonly IpcStatus[] => {
    const { now } = context.calendar;
    const key = keyOf(context, gateways);
    const before = lists.get(farm);
    const known = before?.key === key && before.from <= now && now < before.until ? before : null;
    if (known?.rows === rows) return known.statuses;
    let until = known?.until ?? Infinity;
    const statuses = rows.map((row, place) => {
      const same = known?.rows[place] === row ? known.statuses[place] : undefined;
      if (same) return same;
      const reckoned = steadyStatus(row, context);
      until = Math.min(until, reckoned.until);
      return reckoned.status;
    });
    lists.set(farm, { rows, statuses, key, from: now, until });
    return statuses;
  };
}

/** All that statuses are reckoned with but the row and the clock. */
const keyOf = ({ key }: FarmContext, gateways: readonly GatewayLimits[]): string =>
  JSON.stringify([
    key,
    ...gateways.map(({ id, type, charge_threshold, clock_threshold }) => [
      id,
      type,
      charge_threshold,
      clock_threshold,
    ]),
  ]);
