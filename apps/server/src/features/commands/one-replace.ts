import { sql } from 'kysely';
import { commandTypes } from '@headrace/contract/command-types';
import type { Db } from '../../db/client.ts';
import { conflict } from '../../http/errors.ts';
import type { Swap } from './answers.ts';
import { liveStates } from '../../db/under-way.ts';

/** Throws where a Replace under way has to do with one of these units, naming the place that it is for. */
export async function refuseSecondReplace(db: Db, farmId: number, macs: readonly string[]): Promise<void> {
  const busy = await db
    .selectFrom('command_unit as u')
    .innerJoin('command as c', (join) =>
      join.onRef('c.farm_id', '=', 'u.farm_id').onRef('c.id', '=', 'u.command_id'),
    )
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'u.farm_id').onRef('d.id', '=', 'u.device_id'),
    )
    .select('d.name')
    .where('u.farm_id', '=', farmId)
    .where('u.state', 'in', liveStates)
    .where('c.type', '=', commandTypes.Replace)
    .where(({ eb, or }) => or([eb('d.mac', 'in', macs), eb(sql`c.payload->>'mac'`, 'in', macs)]))
    .executeTakeFirst();
  if (busy)
    throw conflict(
      `${busy.name} is being replaced already. Please wait until that is done or has failed, or cancel it.`,
      'payload',
    );
}

/** One Replace of a farm is added at a time: of two at one instant the second sees the first. */
export async function lockReplaces(trx: Db, farmId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('headrace replaces'), ${farmId})`.execute(trx);
}

/** The unit that a Replace was for, and the one that was to take its place, as the farm has them now. */
export async function readSwapAsked(
  db: Db,
  farmId: number,
  commandId: number,
): Promise<Pick<Swap, 'from' | 'to'> | undefined> {
  const { rows } = await sql<Pick<Swap, 'from' | 'to'>>`
    select json_build_object('id', d.uid, 'serial', d.serial_number, 'mac', coalesce(d.mac, '')) as "from",
      json_build_object('id', coalesce(n.uid, ''), 'serial', c.payload->>'serialNumber', 'mac', c.payload->>'mac') as "to"
    from command c
    join command_unit u on u.farm_id = c.farm_id and u.command_id = c.id
    join device d on d.farm_id = u.farm_id and d.id = u.device_id
    left join device n on n.farm_id = c.farm_id and n.mac = c.payload->>'mac' and n.deleted_at is null
    where c.farm_id = ${farmId} and c.id = ${commandId}`.execute(db);
  return rows[0];
}
