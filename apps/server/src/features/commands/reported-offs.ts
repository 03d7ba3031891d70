import type { SqlClient } from '../../db/sql-client.ts';
import type { CommandKey, GatewayKey, ValveReport } from './answers.ts';
import { type CommandProgress, writeCommandStates, writeUnits } from './command-writer.ts';
import { valveOffTypes } from './valve-types.ts';

interface LiveOff extends CommandKey, GatewayKey {
  deviceId: number;
  at: Date;
}

// One that goes once more isn't done: an earlier start may come after the report.
const offsText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    u.gateway_id as "gatewayId", to_timestamp(min(k.ms) / 1000) as at
  from unnest($1::int[], $2::int[], $3::float8[]) as k (farm_id, device_id, ms)
  join command_unit u on u.farm_id = k.farm_id and u.device_id = k.device_id
  join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.state in ('sent', 'accepted') and c.type in (${valveOffTypes}) and u.again_at is null
    and to_timestamp(k.ms / 1000) >= u.at
  group by u.farm_id, u.command_id, u.device_id order by u.farm_id, u.command_id, u.device_id`;

/** Offs under way to units that say that they are closed, after it was sent. */
export async function liveOffs(client: SqlClient, reports: readonly ValveReport[]): Promise<LiveOff[]> {
  const closed = reports.filter(({ isOpen }) => !isOpen);
  if (closed.length === 0) return [];
  const { rows } = await client.query<LiveOff>({
    name: 'live-offs',
    text: offsText,
    values: [
      closed.map(({ farmId }) => farmId),
      closed.map(({ deviceId }) => deviceId),
      closed.map(({ at }) => at),
    ],
  });
  return rows;
}

/** The unit's own word is the answer that an Off waits for. */
export async function takeReportedOffs(
  client: SqlClient,
  reports: readonly ValveReport[],
  now: Date,
): Promise<{ changed: CommandProgress[]; gateways: GatewayKey[] }> {
  const offs = await liveOffs(client, reports);
  await writeUnits(
    client,
    offs.map((off) => ({ ...off, state: 'done', note: 'The unit itself reports its valve closed.' })),
  );
  return { changed: await writeCommandStates(client, offs, now), gateways: offs };
}
