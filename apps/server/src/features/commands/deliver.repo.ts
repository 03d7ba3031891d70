import type { Pool, PoolClient } from 'pg';
import type { UnitState } from '@headrace/contract/command-types';
import type { Timezone } from '@headrace/contract/farms';
import type { Finish, Pace } from '@headrace/contract/rules/radio-pace';
import { inTransaction } from '../../db/partitions.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import { isLeaving } from '../devices/leaving.ts';
import { speakingGatewayText } from '../devices/speaking-gateway.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import { type Claim, claimUnits, takeSetsBack } from './claim.ts';
import { lockCommands, type UnitChange, writeCommandStates, writeUnits } from './command-writer.ts';
import type { SprinklersList } from './down-messages.ts';
import { readPace } from './gateway-pace.ts';
import { type LiveUnit, waitingUnitsOf } from './waiting-units.ts';

/** A gateway as far as one has to know it to send to it. */
export interface Receiver extends GatewayKey {
  readonly mac: string;
  readonly zone: Timezone;
  readonly isOnline: boolean;
  /** Optional members of the agreement that it keeps. */
  readonly supports: readonly string[];
  /** It holds schedules that a stop took back, and is to be told. */
  readonly withdrawsSets: boolean;
}

interface FinishOfCommand {
  readonly commandId: number;
  readonly finish: Finish;
}

// Locked in the order of their keys, as whoever takes in answers locks them.
const finishText = `with k as materialized (select c.id, k.finish from command c join unnest($2::int[], $3::text[]) as k (id, finish)
    using (id) where c.farm_id = $1 order by c.id for no key update of c)
  update command c set finish = c.finish || k.finish::jsonb,
    first_finish = case when c.created_at >= $4 then c.first_finish || k.finish::jsonb else c.first_finish end from k where c.farm_id = $1 and c.id = k.id`;

export function createDeliverRepo(pool: Pool) {
  return {
    ...waitingUnitsOf(pool),

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

    pace: (key: GatewayKey): Promise<Pace> => readPace(pool, key),

    claim(...[units, gateway, how]: ClaimArguments): Promise<Claim> {
      return inTransaction(pool, (client) => claimUnits(client, units, gateway, how));
    },

    takeSetsBack: (gateway: GatewayKey, at: Date) =>
      inTransaction(pool, (client) => takeSetsBack(client, gateway, at)),

    async setsWithdrawn({ farmId, gatewayId }: GatewayKey): Promise<void> {
      await pool.query(
        `update gateway_state set withdraws_sets = false where farm_id = $1 and device_id = $2`,
        [farmId, gatewayId],
      );
    },

    /** When this gateway will be done with each. Of those that were sent since `firstSince` it is what was said of them first. */
    async noteFinishes(
      { farmId, gatewayId }: GatewayKey,
      told: readonly FinishOfCommand[],
      firstSince: Date | null = null,
    ): Promise<void> {
      await pool.query(finishText, [
        farmId,
        numberArray(told.map(({ commandId }) => commandId)),
        told.map(({ finish }) => JSON.stringify({ [gatewayId]: finish })),
        firstSince,
      ]);
    },

    /** The number to send the list under: gateways forget a list that is older than the one they hold. */
    async listRev({ farmId, gatewayId }: GatewayKey): Promise<number> {
      const { rows } = await pool.query<{ rev: number }>(listRevText, [farmId, gatewayId]);
      return rows[0]?.rev ?? 1;
    },

    async noteSentAgain({ farmId, commandId }: CommandKey, at: Date): Promise<void> {
      await pool.query(
        `insert into command_step (farm_id, command_id, at, state, note)
          select farm_id, id, $3, 'sent', $4 from command where farm_id = $1 and id = $2`,
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

type ClaimArguments = Parameters<typeof claimUnits> extends [unknown, ...infer Rest] ? Rest : never;

type Progress = Awaited<ReturnType<typeof writeCommandStates>>;
interface Moved {
  readonly state: UnitState;
  readonly at: Date;
  readonly note: string;
  /** Only where this is still what it went out with: it may be to go anew meanwhile. */
  readonly cmdId?: string;
}

async function moveUnits(
  client: PoolClient,
  units: readonly (CommandKey & { deviceId: number })[],
  from: readonly UnitState[],
  { state, at, note, cmdId }: Moved,
): Promise<Progress> {
  await lockCommands(client, units);
  const { rows } = await client.query<CommandKey & { deviceId: number }>(
    `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId" from command_unit u
      join unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)
        using (farm_id, command_id, device_id)
      where u.state = any($4) and ($5::text is null or u.cmd_id = $5)`,
    [
      units.map(({ farmId }) => farmId),
      units.map(({ commandId }) => commandId),
      units.map(({ deviceId }) => deviceId),
      from,
      cmdId ?? null,
    ],
  );
  await writeUnits(
    client,
    rows.map((row): UnitChange => ({ ...row, state, at, note })),
  );
  return writeCommandStates(client, rows, at);
}

// A gateway may hold a higher number than ours, as after a restored backup or from another installation.
const listRevText = `update gateway_state
  set list_rev = case when acked_rev > list_rev then acked_rev + 1 else list_rev end
  where farm_id = $1 and device_id = $2 returning list_rev as rev`;

const withWorkText = `select distinct u.farm_id as "farmId", u.gateway_id as "gatewayId" from command_unit u
  join gateway_state g on g.farm_id = u.farm_id and g.device_id = u.gateway_id and g.online
  where u.state = any($1)`;

const receiverText = `select d.farm_id as "farmId", d.id as "gatewayId", d.mac, g.online as "isOnline",
    g.supports, g.withdraws_sets as "withdrawsSets",
    jsonb_build_object('timeZoneId', f.time_zone_id, 'rawOffset', f.raw_offset,
      'dstOffset', f.dst_offset, 'dstEnabled', f.dst_enabled) as zone
  from device d join farm f on f.id = d.farm_id
  join gateway_state g on g.farm_id = d.farm_id and g.device_id = d.id
  where d.farm_id = $1 and d.id = $2 and d.deleted_at is null and d.mac is not null`;

type ListUnit = SprinklersList['ipcs'][number] & { kind: 'sprinkler' | 'repeater' };

/** The sprinklers and repeaters that this gateway speaks for, and those that left the farm and are to be cleared. */
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
        and (d.deleted_at is null or ${isLeaving}) and ${speakingGatewayText} = $2
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
