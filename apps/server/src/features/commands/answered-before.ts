import type { PoolClient } from 'pg';
import { lanes } from '@headrace/device/lanes';
import type { GatewayAnswer } from './answers.ts';
import type { AnsweredUnit } from './settle.ts';

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

// By what names one unit alone: its MAC, or the command where that is for one. Read for each answer: of thousands it is a few rows.
const beforeText = `select ${answeredColumns('k')}
  from (select distinct * from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as k (farm_id, gateway_id, cmd_id, mac)) k
  join command named on named.farm_id = k.farm_id and named.uid = split_part(k.cmd_id, '-', 1)
  cross join lateral (
    select x.* from device m join command_unit x on x.farm_id = m.farm_id and x.command_id = named.id and x.device_id = m.id
      where m.farm_id = k.farm_id and m.mac = k.mac and m.deleted_at is null and x.mac = k.mac
    union all
    select x.* from command_unit x where k.mac is null and x.farm_id = k.farm_id and x.command_id = named.id
      and (select count(*) from (select from command_unit o where o.farm_id = k.farm_id and o.command_id = named.id limit 2) o) = 1
  ) u ${answeredTables}
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
