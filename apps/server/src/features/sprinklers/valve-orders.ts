import { sql } from 'kysely';
import { commandTypes } from '@headrace/contract/command-types';
import type { Db } from '../../db/client.ts';
import type { ValveOrders } from './valve-facts.ts';

const { ValveOn, TurnGroupValvesOn } = commandTypes;

/** A farm's newest commands that are looked through for a Valve On without an answer: some days' of a busy farm. */
const COMMANDS_LOOKED_AT = 500;

interface OrderRow {
  readonly deviceId: number;
  readonly openedAt: number | null;
  readonly closesBy: number | null;
  readonly unansweredUntil: number | null;
  readonly unansweredClosesBy: number | null;
}

const NONE: ReadonlyMap<number, ValveOrders> = new Map();

/**
 * What commands did to the valves of a farm and nothing has ended, and what they may have done. By device; the same map and the same
 * objects as before as long as nothing of them changed.
 */
export function createValveOrders(db: Db) {
  const kept = new Map<number, ReadonlyMap<number, ValveOrders>>();

  return async (farmId: number): Promise<ReadonlyMap<number, ValveOrders>> => {
    const rows = await read(db, farmId);
    if (rows.length === 0) {
      kept.delete(farmId);
      return NONE;
    }
    const before = kept.get(farmId) ?? NONE;
    const now = new Map(rows.map((row) => [row.deviceId, same(before.get(row.deviceId), toOrders(row))]));
    const isAsBefore =
      now.size === before.size && [...now].every(([id, orders]) => before.get(id) === orders);
    if (!isAsBefore) kept.set(farmId, now);
    return isAsBefore ? before : now;
  };
}

/** The same of one sprinkler. */
export async function ordersOfOne(db: Db, farmId: number, deviceId: number): Promise<ValveOrders | null> {
  const [row] = await read(db, farmId, deviceId);
  return row ? toOrders(row) : null;
}

function toOrders({ openedAt, closesBy, ...unanswered }: OrderRow): ValveOrders {
  const opening = openedAt === null || closesBy === null ? null : { openedAt, closesBy };
  const { unansweredUntil, unansweredClosesBy } = unanswered;
  return { opening, unansweredUntil, unansweredClosesBy };
}

function same(before: ValveOrders | undefined, now: ValveOrders): ValveOrders {
  const isSame =
    before?.unansweredUntil === now.unansweredUntil &&
    before.unansweredClosesBy === now.unansweredClosesBy &&
    before.opening?.openedAt === now.opening?.openedAt &&
    before.opening?.closesBy === now.opening?.closesBy;
  return before && isSame ? before : now;
}

// A unit has one opening under way; one that another unit made, at this place before it, is nothing of this one's. A Valve On
// without an answer can begin as long as it lives, and not after it was given up.
async function read(db: Db, farmId: number, deviceId?: number): Promise<OrderRow[]> {
  const isAsked = (of: string) => (deviceId === undefined ? sql`true` : sql`${sql.ref(of)} = ${deviceId}`);
  const { rows } = await sql<OrderRow>`
    select o.device_id as "deviceId", date_part('epoch', max(o.opened_at)) * 1000 as "openedAt",
      date_part('epoch', max(o.closes_by)) * 1000 as "closesBy",
      date_part('epoch', max(o.unanswered_until)) * 1000 as "unansweredUntil",
      date_part('epoch', max(o.unanswered_until + make_interval(mins => o.minutes))) * 1000 as "unansweredClosesBy"
    from (
      select device_id, mac, opened_at, closes_by, null::timestamptz as unanswered_until, null::int as minutes from command_unit
        where farm_id = ${farmId} and opened_at is not null and closed_at is null and ${isAsked('device_id')}
      union all
      select u.device_id, u.mac, null, null,
        case when u.state in ('sent', 'accepted') then l.at else least(u.at, l.at) end, c.max_open_minutes
      from (select * from command where farm_id = ${farmId} order by id desc limit ${COMMANDS_LOOKED_AT}) c
      join command_unit u on u.farm_id = c.farm_id and u.command_id = c.id
      cross join lateral (select coalesce(u.expires_at, c.expires_at) as at) l
      where c.type in (${ValveOn}, ${TurnGroupValvesOn}) and u.sending > 0 and u.opened_at is null
        and u.state not in ('done', 'skipped') and ${isAsked('u.device_id')}
    ) o
    join device d on d.farm_id = ${farmId} and d.id = o.device_id and (o.mac is null or o.mac = d.mac)
    group by o.device_id`.execute(db);
  return rows;
}
