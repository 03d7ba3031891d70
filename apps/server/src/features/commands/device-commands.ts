import { type SqlBool, sql } from 'kysely';
import { commandTypes } from '@headrace/device/commands';
import type { Db } from '../../db/client.ts';
import { liveStates } from '../../db/under-way.ts';
import { UNCHANGED } from './command-message.ts';
import type { BehindsOf } from './kept-behinds.ts';
import { type CommandRow, readCommands, type UnitRow, unitRows } from './read-commands.ts';

/** Of a list of commands, and of one device in it. */
export interface OfDevice {
  readonly command: CommandRow;
  readonly unit: UnitRow;
}

/** Another unit that took a device's place, by serial numbers. */
export interface SwapRow {
  commandId: string;
  at: Date;
  from: string;
  to: string;
  by: string;
}

/** Epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Under way for one device: more than a few never are. */
const LIVE_MOST = 50;

/** What was sent to one device. */
export function createDeviceCommands(db: Db, behindsOf: BehindsOf) {
  return {
    /** Those under way for a device, Pings left out; the newest first. */
    async liveOf(farmId: number, deviceId: number): Promise<OfDevice[]> {
      const live = unitsOf(db, farmId, deviceId).where('u.state', 'in', liveStates);
      return withCommands({ db, behindsOf }, farmId, await live.limit(LIVE_MOST).execute());
    },

    /** When other units took a device's place in a time, the newest first. */
    async swapsOf(farmId: number, deviceId: number, { from, to }: Span, limit: number): Promise<SwapRow[]> {
      const { rows } = await sql<SwapRow>`
        select c.uid as "commandId", u.at, c.serial_number as "from", c.payload->>'serialNumber' as "to",
          coalesce(a.name, '') as by
        from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
          left join account a on a.id = c.account_id
        where u.farm_id = ${farmId} and u.device_id = ${deviceId} and u.state = 'done'
          and c.type = ${commandTypes.Replace} and not starts_with(u.note, ${UNCHANGED})
          and u.at >= ${new Date(from)} and u.at < ${new Date(to)}
        order by u.command_id desc limit ${limit}`.execute(db);
      return rows;
    },

    /** Those that were sent to a device in a time, Pings left out; the newest first. */
    async lastOf(farmId: number, deviceId: number, { from, to }: Span, limit: number): Promise<OfDevice[]> {
      const sent = unitsOf(db, farmId, deviceId)
        .where('c.created_at', '>=', new Date(from))
        .where('c.created_at', '<', new Date(to));
      return withCommands({ db, behindsOf }, farmId, await sent.limit(limit).execute());
    },
  };
}

async function withCommands(
  { db, behindsOf }: { db: Db; behindsOf: BehindsOf },
  farmId: number,
  units: readonly (UnitRow & { commandId: number })[],
): Promise<OfDevice[]> {
  if (units.length === 0) return [];
  const ids = units.map(({ commandId }) => commandId);
  const where = sql<SqlBool>`c.farm_id = ${farmId} and c.id = any(${ids})`;
  const rows = await readCommands(db, where, ids.length, behindsOf);
  const commands = new Map(rows.map((row) => [row.id, row]));
  return units.flatMap(({ commandId, ...unit }) => {
    const command = commands.get(commandId);
    return command ? [{ command, unit }] : [];
  });
}

/** A device's parts of commands, Pings left out; the newest first. */
const unitsOf = (db: Db, farmId: number, deviceId: number) =>
  unitRows(db)
    .innerJoin('command as c', (join) =>
      join.onRef('c.farm_id', '=', 'u.farm_id').onRef('c.id', '=', 'u.command_id'),
    )
    .select('u.command_id as commandId')
    .where('u.farm_id', '=', farmId)
    .where('u.device_id', '=', deviceId)
    .where('c.type', '<>', commandTypes.Ping)
    .orderBy('u.command_id', 'desc');
