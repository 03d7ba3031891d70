import type { Pool } from 'pg';
import { lanes } from '@headrace/device/lanes';
import { inTransaction } from '../../db/partitions.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { sprinklersFirst } from '../devices/speaking-gateway.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import {
  type CommandProgress,
  lockCommands,
  lockGateways,
  writeCommandStates,
  writeUnits,
} from './command-writer.ts';
import { groupBy } from '../../group-by.ts';
import { LAST_START_MS } from './superseded.ts';

/** A unit's part of a command, and the gateway that speaks for it by now. */
type Moved = CommandKey & GatewayKey & { readonly deviceId: number; readonly from: number };

const AT_ONCE = 5000;

// What waits, and a stop also where the gateway before has not answered it: it may never reach the unit again.
const mayMove = `(u.state = 'queued' and u.cmd_id is null or u.lane = ${lanes.stop} and ${unitIsLive('u')})`;
// By farm the gateway of those that name none is looked for once.
const movedText = `with waiting as materialized (
    select u.farm_id, u.command_id, u.device_id, u.gateway_id, u.position from command_unit u
    where ${unitIsLive('u')} and ${mayMove} and u.device_id <> u.gateway_id),
  first as (select distinct on (g.farm_id) g.farm_id, g.id from device g
    where g.farm_id in (select distinct farm_id from waiting) and g.kind = 'gateway' and g.deleted_at is null
    order by g.farm_id, ${sprinklersFirst}, g.id)
  select w.farm_id as "farmId", w.command_id as "commandId", w.device_id as "deviceId", w.gateway_id as from,
    coalesce(o.id, first.id) as "gatewayId"
  from waiting w join device d on d.farm_id = w.farm_id and d.id = w.device_id and d.kind = 'sprinkler' and d.deleted_at is null
  left join device o on o.farm_id = d.farm_id and o.id = d.gateway_id and o.deleted_at is null
  join first on first.farm_id = d.farm_id
  where coalesce(o.id, first.id) <> w.gateway_id
  order by w.farm_id, w.command_id, w.position limit ${AT_ONCE}`;

// A start that the gateway before was given may still be carried out, and the number of another gateway's message says nothing to it:
// the stop goes once more after that start's last moment.
const lastStart = `(select max(coalesce(x.expires_at, xc.expires_at)) + $5::float8 * interval '1 ms'
  from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
  where u.lane = ${lanes.stop} and x.farm_id = u.farm_id and x.device_id = u.device_id and x.lane = ${lanes.start}
    and x.command_id < u.command_id and x.gateway_id = u.gateway_id and x.sending > 0 and x.state <> 'done'
    and coalesce(x.expires_at, xc.expires_at) > $6)`;
const moveText = `update command_unit u set gateway_id = k.gateway_id, cmd_id = null, seq = null, again_at = greatest(again_at, ${lastStart})
  from unnest($1::int[], $2::int[], $3::int[], $4::int[]) as k (farm_id, command_id, device_id, gateway_id)
  where u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id and ${mayMove}`;

// Schedules that the stop ended, and that the gateway before may still bring to their units.
const withdrawText = `update gateway_state g set withdraws_sets = true where g.farm_id = $1 and g.device_id = any($2)
  and exists (select from command_unit s join command_unit x on x.farm_id = s.farm_id and x.device_id = s.device_id
      and x.gateway_id = g.device_id and x.command_id < s.command_id and x.cmd_id like 'set-%' and x.state = 'cancelled'
    where s.farm_id = g.farm_id and s.device_id = any($3) and s.command_id = any($4) and s.lane = ${lanes.stop})`;

/**
 * What waits for units that another gateway speaks for by now goes through that one: the one before knows nothing of them any more,
 * and a stop that waits for it to come back would stop nobody. Returns the commands.
 */
export function followMoved(pool: Pool, now: Date): Promise<CommandProgress[]> {
  return inTransaction(pool, async (client) => {
    const read = async () => (await client.query<Moved>(movedText)).rows;
    const found = await read();
    if (found.length === 0) return [];
    for (const units of groupBy(found, ({ farmId }) => farmId))
      await lockGateways(client, units[0]?.farmId ?? 0, [...new Set(units.map(({ from }) => from))]);
    await lockCommands(client, found);
    const isLocked = new Set(found.map(({ farmId, commandId }) => `${farmId}/${commandId}`));
    const moved = (await read()).filter(({ farmId, commandId }) => isLocked.has(`${farmId}/${commandId}`));
    await client.query(moveText, [
      moved.map(({ farmId }) => farmId),
      moved.map(({ commandId }) => commandId),
      moved.map(({ deviceId }) => deviceId),
      moved.map(({ gatewayId }) => gatewayId),
      LAST_START_MS,
      now,
    ]);
    await takeBackFromBefore(client, moved);
    await writeUnits(
      client,
      moved.map((unit) => ({ ...unit, at: now, state: 'queued', note: MOVED_NOTE })),
    );
    return writeCommandStates(client, moved, now);
  });
}

const MOVED_NOTE = 'It goes through another gateway, which speaks for it by now.';

async function takeBackFromBefore(client: SqlClient, moved: readonly Moved[]): Promise<void> {
  for (const units of groupBy(moved, ({ farmId }) => farmId))
    await client.query({
      text: withdrawText,
      values: [
        units[0]?.farmId,
        [...new Set(units.map(({ from }) => from))],
        units.map(({ deviceId }) => deviceId),
        [...new Set(units.map(({ commandId }) => commandId))],
      ],
    });
}
