import { sql } from 'kysely';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { bumpLists } from './list-sync.ts';

/** For so long a sprinkler that left the farm stays on its gateway's list, so that it can be cleared. */
export const LEAVING_DAYS = 14;

/** In SQL: sprinkler `d` left the farm and may hold a schedule, by which it would water on. Nobody has it by now. */
export const isLeaving = `(d.deleted_at is not null and d.kind = 'sprinkler' and d.settings @> '{"isLeaving": true}'
  and not exists (select from device o where o.mac = d.mac and o.deleted_at is null))`;

/** In the transaction in which they leave the farm: those that may hold a schedule. */
export async function markLeaving(trx: Db, farmId: number, ids: readonly number[]): Promise<void> {
  await sql`update device d set settings = d.settings || '{"isLeaving": true}'
    where d.farm_id = ${farmId} and d.id = any(${ids}) and d.kind = 'sprinkler' and d.mac is not null
      and case when exists (select from unit_held h where h.farm_id = d.farm_id and h.device_id = d.id and h.until is null)
        then exists (select from unit_held h where h.farm_id = d.farm_id and h.device_id = d.id and h.until is null
          and h.stopped_at is null and h.crc <> ${inhibitedCrc} and h.entries is distinct from '[]')
        else exists (select from unit_program p where p.farm_id = d.farm_id and p.device_id = d.id and p.entries <> '[]')
          end`.execute(trx);
}

/** It was cleared, or nobody reached it: it goes off its gateway's list. */
export async function endLeaving(
  trx: Db,
  farmId: number,
  units: readonly Pick<DeviceRow, 'id' | 'gateway_id'>[],
): Promise<void> {
  await sql`update device set settings = settings - 'isLeaving'
    where farm_id = ${farmId} and id = any(${units.map(({ id }) => id)})`.execute(trx);
  await bumpLists(trx, farmId, units);
}

/** As it is when it comes back. */
export function returned<Row extends Pick<DeviceRow, 'settings'>>(row: Row): Row {
  const { isLeaving: _over, ...settings } = row.settings;
  return { ...row, settings };
}
