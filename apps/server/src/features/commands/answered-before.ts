import type { PoolClient } from 'pg';
import { typesThat } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import type { GatewayAnswer } from './answers.ts';
import type { AnsweredUnit } from './settle.ts';

const stopTypes = [...typesThat('closes'), ...typesThat('inhibits'), ...typesThat('switches')].join(', ');

/** Of unit `u` of command `c`; `by` names the gateway and the id that the answer came with. */
export const answeredColumns = (
  by: string,
) => `u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    ${by}.gateway_id as "gatewayId", ${by}.cmd_id as "cmdId", coalesce(u.mac, d.mac) as mac,
    coalesce(u.mac = d.mac, true) as "isHere", u.state, u.note, c.type, c.payload,
    u.crc, u.entries, c.max_open_minutes as "maxOpenMinutes", c.account_id as "accountId", c.created_at as "createdAt",
    coalesce(u.expires_at, c.expires_at) as "expiresAt", u.again_at as "againAt"`;
export const answeredTables = `join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join device d on d.farm_id = u.farm_id and d.id = u.device_id`;

// By what names one unit alone: its MAC, or the command where that is for one. First the few that are stops, then their units one by
// one by their keys (`offset 0`): a plan for all at once reads all units of the command for each answer.
const beforeText = `with k as materialized (select x.*, c.id as command_id
    from (select distinct * from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as x (farm_id, gateway_id, cmd_id, mac)) x
    join command c on c.farm_id = x.farm_id and c.uid = split_part(x.cmd_id, '-', 1) and c.type in (${stopTypes})),
  place as materialized (
    select k.*, m.id as device_id from k cross join lateral (select m.id from device m
      where m.farm_id = k.farm_id and m.mac = k.mac and m.deleted_at is null offset 0) m
    union all
    select k.*, o.ids[1] from k cross join lateral (select array(select o.device_id from command_unit o
      where o.farm_id = k.farm_id and o.command_id = k.command_id limit 2) as ids) o
    where k.mac is null and cardinality(o.ids) = 1)
  select ${answeredColumns('k')}
  from place k cross join lateral (select x.* from command_unit x
    where x.farm_id = k.farm_id and x.command_id = k.command_id and x.device_id = k.device_id
      and (k.mac is null or x.mac = k.mac) offset 0) u ${answeredTables}
  where u.lane = ${lanes.stop} and u.sending > 0 and u.again_at is null and u.gateway_id <> k.gateway_id
  order by u.farm_id, u.command_id, u.position`;

/**
 * Stops that a gateway says it carried out, while another speaks for the unit by now and was to stop it instead: the unit is stopped.
 * What else the one before says is nothing to the other, which is still at it.
 */
export async function answeredBefore(
  client: PoolClient,
  answers: readonly GatewayAnswer[],
): Promise<AnsweredUnit[]> {
  const done = answers.filter(({ answer }) => answer === 'done');
  if (done.length === 0) return [];
  const { rows } = await client.query<AnsweredUnit>({
    name: 'answered-before',
    text: beforeText,
    values: [
      done.map(({ farmId }) => farmId),
      done.map(({ gatewayId }) => gatewayId),
      done.map(({ cmdId }) => cmdId),
      done.map(({ mac }) => mac),
    ],
  });
  return rows;
}
