import type { IpcStatus } from '@headrace/contract/groups';
import { othersInTurns } from '../../kept-lists.ts';
import { type FarmContext, steadyStatus } from './present-status.ts';
import type { GatewayLimits } from '../gateways/unit-limits.repo.ts';
import type { SprinklerRow } from './sprinkler-status.repo.ts';

/** The statuses of a farm's rows, for what they were reckoned, and from when until when all of them hold (epoch ms). */
interface Kept {
  readonly from: readonly SprinklerRow[];
  readonly to: readonly IpcStatus[];
  readonly key: string;
  readonly since: number;
  readonly until: number;
}

/**
 * The statuses of whole farms. While the farm and the clock make none another, only those are looked at whose row is another object than
 * at its place before: of five thousand, on most calls a few; after a send to all every one, by turns. Kept as long as `farm` is.
 */
export function createStatusLists() {
  const lists = new WeakMap<object, Kept>();
  return async (
    farm: object,
    rows: readonly SprinklerRow[],
    context: FarmContext,
    gateways: readonly GatewayLimits[],
  ): Promise<readonly IpcStatus[]> => {
    const { now } = context.calendar;
    const key = keyOf(context, gateways);
    const before = lists.get(farm);
    const known = before?.key === key && before.since <= now && now < before.until ? before : null;
    if (known?.from === rows) return known.to;
    let until = known?.until ?? Infinity;
    const to = await othersInTurns(rows, known, (row) => {
      const reckoned = steadyStatus(row, context);
      until = Math.min(until, reckoned.until);
      return reckoned.status;
    });
    lists.set(farm, { from: rows, to, key, since: now, until });
    return to;
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
