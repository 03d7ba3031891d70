import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceKind } from '../../db/schema.ts';
import type { Use } from '../../room-again.ts';
import { takeMacOff } from '../devices/change-records.ts';
import { endGatewayKeys } from '../gateways/gateways.repo.ts';
import { isHeard, macEnteredAt } from '../registry/heard-devices.ts';

export interface Claim {
  readonly id: number;
  readonly farm_id: number;
  readonly uid: string;
  readonly name: string;
  readonly serial_number: string;
  readonly kind: DeviceKind;
  readonly farm_name: string;
  readonly farm_zone: string;
  readonly owner_id: number;
  readonly is_heard: boolean;
  /** When the device got this MAC. */
  readonly entered_at: Date;
}

/** The device that has this MAC on a farm other than this one. */
export async function claimElsewhere(db: Db, farmId: number, mac: string): Promise<Claim | undefined> {
  const { rows } =
    await sql<Claim>`select d.id, d.farm_id, d.uid, d.name, d.serial_number, d.kind, f.name as farm_name,
      f.time_zone_id as farm_zone, f.owner_id,
      ${isHeard} as is_heard, ${macEnteredAt} as entered_at
    from device d join farm f on f.id = d.farm_id
    where d.mac = ${mac} and d.deleted_at is null and d.farm_id <> ${farmId}
    order by d.id limit 1`.execute(db);
  return rows[0];
}

/** A gateway or network server of this farm has named the device, which the farm doesn't have. */
export async function wasHeardBy(db: Db, farmId: number, mac: string, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('dead_letter')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('device', '=', mac)
    .where('at', '>=', since)
    .where('reason', '=', `unknown device ${mac}`)
    .executeTakeFirst();
  return row !== undefined;
}

/** Serial numbers that the operator or the manufacturer gives this MAC. */
export async function serialsOf(db: Db, mac: string): Promise<string[]> {
  const rows = await db
    .selectFrom('registry')
    .select('serial_number')
    .where('mac', '=', mac)
    .where('claimed_by', 'is', null)
    .execute();
  return rows.map(({ serial_number }) => serial_number);
}

/** The device stays without its MAC; a gateway's key ends, too. */
export async function endClaim(trx: Db, claim: Claim, now: Date): Promise<void> {
  await takeMacOff(trx, claim, now);
  if (claim.kind === 'gateway') await endGatewayKeys(trx, claim.farm_id, claim.id, null);
}

/** By the history of the farm that has the device. */
export const ANNOUNCED = 'MAC address contested';

/** When the device's owner was first told since `since`, and since it has this MAC, that another farm contests it. */
export async function announcedAt(trx: Db, claim: Claim, since: Date): Promise<Date | null> {
  const { at } = await trx
    .selectFrom('change_log')
    .select((eb) => eb.fn.min('at').as('at'))
    .where('farm_id', '=', claim.farm_id)
    .where('uid', '=', claim.uid)
    .where('what', '=', ANNOUNCED)
    .where('at', '>=', since)
    .where('at', '>=', claim.entered_at)
    .executeTakeFirstOrThrow();
  return at;
}

/** By the history of the farm that contests. */
export const CONTESTED = 'contested a MAC address';

/** When the owner's farms got MACs of others after `since`. Their owner's row is locked, so that two calls at once are both counted. */
export async function contestsSince(trx: Db, ownerId: number, since: Date): Promise<Use[]> {
  await trx.selectFrom('account').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute();
  const rows = await trx
    .selectFrom('change_log')
    .select('at')
    .where('farm_id', 'in', (query) =>
      query.selectFrom('farm').select('farm.id').where('farm.owner_id', '=', ownerId),
    )
    // By the letter, so that the planner sees that the index of these is enough.
    .where(sql<SqlBool>`what = ${sql.lit(CONTESTED)}`)
    .where('at', '>', since)
    .execute();
  return rows.map(({ at }) => ({ at, count: 1 }));
}
