import type { Pool, PoolClient } from 'pg';
import type { CommandType, UnitState } from '@headrace/contract/command-types';
import type { Timezone } from '@headrace/contract/farms';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { setAckId } from '@headrace/device/commands';
import { inTransaction } from '../../db/partitions.ts';
import { speakingGatewayText } from '../devices/speaking-gateway.ts';
import type { CommandKey } from './answers.ts';
import { lockCommands, type UnitChange, writeCommandStates, writeUnits } from './command-writer.ts';
import type { SprinklersList } from './down-messages.ts';

export interface GatewayKey {
  readonly farmId: number;
  readonly gatewayId: number;
}

/** A gateway as far as one has to know it to send to it. */
export interface Receiver extends GatewayKey {
  readonly mac: string;
  readonly zone: Timezone;
  readonly isOnline: boolean;
}

/** A unit of a command that has no end yet, with the command. */
export interface LiveUnit extends CommandKey {
  readonly uid: string;
  readonly type: CommandType;
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly maxOpenMinutes: number | null;
  readonly expiresAt: Date;
  readonly deviceId: number;
  readonly unitName: string;
  readonly mac: string;
  readonly state: UnitState;
  readonly cmdId: string | null;
  readonly entries: ScheduleEntry[] | null;
  readonly crc: string | null;
  /** It said that it holds this very schedule after everything we last did to it. */
  readonly isInStep: boolean;
}

export function createDeliverRepo(pool: Pool) {
  return {
    /** One server at a time sends to a gateway; the others wait. No row is locked while it does. */
    alone<T>({ gatewayId }: GatewayKey, work: () => Promise<T>): Promise<T> {
      return inTransaction(pool, async (client) => {
        await client.query("select pg_advisory_xact_lock(hashtext('headrace deliver'), $1)", [gatewayId]);
        return work();
      });
    },

    async hasWork({ farmId, gatewayId }: GatewayKey, states: readonly UnitState[]): Promise<boolean> {
      const { rowCount } = await pool.query(
        `select 1 from command_unit where farm_id = $1 and gateway_id = $2 and state = any($3) limit 1`,
        [farmId, gatewayId, states],
      );
      return rowCount === 1;
    },

    /** Gateways, of all farms, that are there and have units in one of these states. */
    async withWork(states: readonly UnitState[]): Promise<GatewayKey[]> {
      const { rows } = await pool.query<GatewayKey>(withWorkText, [states]);
      return rows;
    },

    async receiver({ farmId, gatewayId }: GatewayKey): Promise<Receiver | undefined> {
      const { rows } = await pool.query<Receiver>(receiverText, [farmId, gatewayId]);
      return rows[0];
    },

    async liveUnits({ farmId, gatewayId }: GatewayKey): Promise<LiveUnit[]> {
      const { rows } = await pool.query<LiveUnit>(liveUnitsText, [farmId, gatewayId]);
      return rows;
    },

    /**
     * Kept before anything is published: whatever happens then, an answer finds its command. Returns the units that may
     * still go out, and the id that they go out with: one that was cancelled meanwhile may not, and one that is claimed
     * can't be cancelled any more. `cmdId` null: the number of the gateway's next set of schedules, which is drawn here,
     * so that a server that dies now has spent none.
     */
    claim(
      units: readonly LiveUnit[],
      cmdId: string | null,
      gateway: GatewayKey,
    ): Promise<{ cmdId: string; units: LiveUnit[] }> {
      return inTransaction(pool, async (client) => {
        const { farmId, commandId } = units[0] ?? { farmId: 0, commandId: 0 };
        await lockCommands(client, units);
        const name = cmdId ?? setAckId(await nextSetRev(client, gateway));
        const { rows } = await client.query<{ deviceId: number }>(claimText, [
          farmId,
          commandId,
          units.map(({ deviceId }) => deviceId),
          name,
        ]);
        const claimed = new Set(rows.map(({ deviceId }) => deviceId));
        return { cmdId: name, units: units.filter(({ deviceId }) => claimed.has(deviceId)) };
      });
    },

    /** How many ids of its own a command has on this gateway already. */
    async idsOf({ farmId, gatewayId }: GatewayKey, commandId: number): Promise<number> {
      const { rows } = await pool.query<{ n: number }>(
        `select count(distinct cmd_id)::int as n from command_unit
          where farm_id = $1 and command_id = $2 and gateway_id = $3`,
        [farmId, commandId, gatewayId],
      );
      return rows[0]?.n ?? 0;
    },

    /** The number to send the list under: gateways forget a list that is older than the one they hold. */
    async listRev({ farmId, gatewayId }: GatewayKey): Promise<number> {
      const { rows } = await pool.query<{ rev: number }>(listRevText, [farmId, gatewayId]);
      return rows[0]?.rev ?? 1;
    },

    async noteSentAgain({ farmId, commandId }: CommandKey, at: Date): Promise<void> {
      await pool.query(
        `insert into command_step (farm_id, command_id, at, state, note) values ($1, $2, $3, 'sent', $4)`,
        [farmId, commandId, at, 'Sent again: it had not been answered.'],
      );
    },

    async sprinklersList({ farmId, gatewayId }: GatewayKey, rev: number): Promise<SprinklersList> {
      return readSprinklersList(pool, farmId, gatewayId, rev);
    },

    /** Moves units on, but not those that an answer has moved further meanwhile. */
    move(units: readonly LiveUnit[], from: readonly UnitState[], change: Moved): Promise<Progress> {
      return inTransaction(pool, (client) => moveUnits(client, units, from, change));
    },
  };
}
export type DeliverRepo = ReturnType<typeof createDeliverRepo>;

async function nextSetRev(client: PoolClient, { farmId, gatewayId }: GatewayKey): Promise<number> {
  const { rows } = await client.query<{ rev: number }>(
    `update gateway_state set set_rev = set_rev + 1 where farm_id = $1 and device_id = $2 returning set_rev as rev`,
    [farmId, gatewayId],
  );
  return rows[0]?.rev ?? 1;
}

type Progress = Awaited<ReturnType<typeof writeCommandStates>>;
interface Moved {
  readonly state: UnitState;
  readonly at: Date;
  readonly note: string;
}

async function moveUnits(
  client: PoolClient,
  units: readonly (CommandKey & { deviceId: number })[],
  from: readonly UnitState[],
  { state, at, note }: Moved,
): Promise<Progress> {
  await lockCommands(client, units);
  const { rows } = await client.query<CommandKey & { deviceId: number }>(
    `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId" from command_unit u
      join unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)
        using (farm_id, command_id, device_id) where u.state = any($4)`,
    [
      units.map(({ farmId }) => farmId),
      units.map(({ commandId }) => commandId),
      units.map(({ deviceId }) => deviceId),
      from,
    ],
  );
  await writeUnits(
    client,
    rows.map((row): UnitChange => ({ ...row, state, at, note })),
  );
  return writeCommandStates(client, rows, at);
}

const claimText = `update command_unit set cmd_id = $4
  where farm_id = $1 and command_id = $2 and device_id = any($3) and state in ('queued', 'sent', 'accepted')
  returning device_id as "deviceId"`;

// A gateway may hold a higher number than ours, as after a restored backup or from another installation.
const listRevText = `update gateway_state
  set list_rev = case when acked_rev > list_rev then acked_rev + 1 else list_rev end
  where farm_id = $1 and device_id = $2 returning list_rev as rev`;

const withWorkText = `select distinct u.farm_id as "farmId", u.gateway_id as "gatewayId" from command_unit u
  join gateway_state g on g.farm_id = u.farm_id and g.device_id = u.gateway_id and g.online
  where u.state = any($1)`;

const receiverText = `select d.farm_id as "farmId", d.id as "gatewayId", d.mac, g.online as "isOnline",
    jsonb_build_object('timeZoneId', f.time_zone_id, 'rawOffset', f.raw_offset,
      'dstOffset', f.dst_offset, 'dstEnabled', f.dst_enabled) as zone
  from device d join farm f on f.id = d.farm_id
  join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
  where d.farm_id = $1 and d.id = $2 and d.deleted_at is null and d.mac is not null`;

// In step only where the unit's own report is newer than the last thing that was done to it; its clock may be ahead by
// what is accepted of readings, 10 minutes.
const liveUnitsText = `select u.farm_id as "farmId", u.command_id as "commandId", c.uid, c.type, c.name, c.payload,
    c.max_open_minutes as "maxOpenMinutes", c.expires_at as "expiresAt", u.device_id as "deviceId",
    d.name as "unitName", coalesce(d.mac, '') as mac, u.state, u.cmd_id as "cmdId", u.entries, u.crc,
    coalesce(f.value = u.crc and not exists (select from command_unit x
      where x.farm_id = u.farm_id and x.device_id = u.device_id and x.command_id <> u.command_id and x.at >= f.at - interval '10 minutes'
        and x.state not in ('queued', 'skipped', 'cancelled')), false) as "isInStep"
  from command_unit u
  join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join device d on d.farm_id = u.farm_id and d.id = u.device_id
  left join device_fact f on f.farm_id = u.farm_id and f.device_id = u.device_id and f.name = 'ipcCrc' and u.crc is not null
  where u.farm_id = $1 and u.gateway_id = $2 and u.state in ('queued', 'sent', 'accepted')
  order by u.command_id, u.position`;

type ListUnit = SprinklersList['ipcs'][number] & { kind: 'sprinkler' | 'repeater' };

/** The sprinklers and repeaters that this gateway speaks for. */
async function readSprinklersList(
  pool: Pool,
  farmId: number,
  gatewayId: number,
  rev: number,
): Promise<SprinklersList> {
  const { rows } = await pool.query<ListUnit>(
    `select d.kind, d.mac, d.name, d.serial_number as "serialNumber",
        coalesce(d.settings->>'farmId', '01:01') as "farmId", coalesce((d.settings->>'channel')::int, 1) as channel,
        coalesce((d.settings->>'commsMode')::int, 1) as "commsMode"
      from device d where d.farm_id = $1 and d.kind in ('sprinkler', 'repeater') and d.mac is not null
        and d.deleted_at is null and ${speakingGatewayText} = $2
      order by d.name, d.id`,
    [farmId, gatewayId],
  );
  const units = rows.filter(({ kind }) => kind === 'sprinkler').map(({ kind: _kind, ...unit }) => unit);
  return {
    rev,
    farmId: units[0]?.farmId ?? '01:01',
    channel: units[0]?.channel ?? 1,
    ipcs: units,
    repeaters: rows
      .filter(({ kind }) => kind === 'repeater')
      .map(({ mac, name, serialNumber }) => ({ mac, name, serialNumber })),
  };
}
