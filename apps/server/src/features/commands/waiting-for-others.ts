import { commandTypes } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { commandIsLive, unitIsLive } from '../../db/under-way.ts';
import type { GatewayKey } from './answers.ts';

/** Units of a command that wait, at one gateway, for another command. */
export interface Waiting extends GatewayKey {
  readonly commandId: number;
  readonly otherId: number;
  readonly units: number;
  /** Of the command, whether they wait or not. */
  readonly of: number;
  /** They are free, and stand in line with other sends to many; null: their units have the other one to do first. */
  readonly line: Line | null;
}

/** Units of sends to many that a gateway has now, and that it gets before those of a command. */
export interface Line {
  readonly out: number;
  readonly before: number;
}

const unitsOf = (part: string) =>
  `(select count(*)::int from command_unit a where a.farm_id = ${part}.farm_id and a.command_id = ${part}.command_id)`;

const isAsked = (part: string) => `($2::int[] is null or ${part}.command_id = any($2::int[]))`;

/** A command of a unit's, its lane, and whether it waits and holds others up, as one number: of thousands these are quicker to compare. */
const standing = `u.command_id::bigint * 16 + u.lane * 4 + case when u.state = 'queued' and u.cmd_id is null then 2 else 0 end
  + case when u.state = 'queued' or u.at > $3::timestamptz - interval '10 minutes' then 1 else 0 end`;
const ofStanding = (s: string) =>
  `select (${s} / 16)::int as command_id, (${s} / 4 % 4)::int as lane, ${s} / 2 % 2 = 1 as is_waiting, ${s} % 2 = 1 as is_holding`;

/**
 * `t` has of units under way that stand alike in all of their commands (`n` of them) each command with those that it has to do first where it
 * waits, as `isFree` of `waiting-units.ts` has it: earlier ones, and those of a lower lane. Of thousands most stand alike, so few are compared. Of
 * sends to many the others go out in the order of the commands: `line` has of each, by gateway, how many are out and how many are next. Read
 * are only farms with several commands under way.
 */
const waitingText = `with l as materialized (select c.farm_id, c.id from command c
    where c.farm_id = any($1::int[]) and ${commandIsLive('c')} and c.type <> ${commandTypes.Ping}),
  d as materialized (select farm_id, gateway_id, standings, count(*)::int as n from (
      select u.farm_id, u.gateway_id, u.device_id, array_agg(${standing} order by u.command_id) as standings from command_unit u
      where u.farm_id = any(array(select farm_id from l group by farm_id having count(*) > 1))
        and u.command_id = any(array(select id from l)) and ${unitIsLive('u')} group by 1, 2, 3) v
    group by 1, 2, 3),
  t as materialized (select d.farm_id, d.gateway_id, d.n, w.*, array(
      select x.command_id from unnest(d.standings) as y (s) cross join lateral (${ofStanding('y.s')}) x
      where w.is_waiting and w.lane <> ${lanes.stop} and x.command_id <> w.command_id
        and (x.lane = w.lane and x.command_id < w.command_id or x.lane < w.lane and x.is_holding)) as others
    from d cross join lateral unnest(d.standings) as y (s) cross join lateral (${ofStanding('y.s')}) w),
  line as materialized (select t.farm_id, t.gateway_id, t.command_id,
      coalesce(sum(t.n) filter (where not t.is_waiting), 0)::int as out,
      coalesce(sum(t.n) filter (where t.is_waiting and t.others = '{}'), 0)::int as next
    from t where t.lane = ${lanes.many} group by 1, 2, 3)
  select t.farm_id as "farmId", t.gateway_id as "gatewayId", t.command_id as "commandId", o.id as "otherId",
    sum(t.n)::int as units, ${unitsOf('t')} as of, null::json as line
  from t cross join lateral unnest(t.others) as o (id) where ${isAsked('t')} group by 1, 2, 3, 4
  union all
  select m.farm_id, m.gateway_id, m.command_id, o.command_id, m.next, ${unitsOf('m')}, json_build_object(
    'out', (select sum(a.out) from line a where a.farm_id = m.farm_id and a.gateway_id = m.gateway_id),
    'before', (select sum(a.next) from line a
      where a.farm_id = m.farm_id and a.gateway_id = m.gateway_id and a.command_id < m.command_id))
  from line m join line o on o.farm_id = m.farm_id and o.gateway_id = m.gateway_id and o.command_id < m.command_id
  where ${isAsked('m')} and m.next > 0 and (o.next > 0 or m.out = 0)`;

/** Of these commands on these farms (null: of all that are under way), also those that go out at once. */
export async function readWaiting(
  client: SqlClient,
  farmIds: readonly number[],
  commandIds: readonly number[] | null,
  now: Date,
): Promise<readonly Waiting[]> {
  const values = [numberArray(farmIds), commandIds && numberArray(commandIds), now];
  return (await client.query<Waiting>({ text: waitingText, values })).rows;
}
