import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { firstGateway, speakingGateway } from './speaking-gateway.ts';

export type ListUnit = Pick<DeviceRow, 'kind' | 'mac' | 'serial_number' | 'name' | 'gateway_id' | 'settings'>;

/** Sprinklers and repeaters are on their gateway's list. */
export const isOnList = ({ kind }: Pick<DeviceRow, 'kind'>) => kind === 'sprinkler' || kind === 'repeater';

/** The lists of the gateways that speak for these units have changed: each gateway is behind until it acknowledges the new one. */
export async function bumpLists(
  trx: Db,
  farmId: number,
  units: readonly Pick<ListUnit, 'gateway_id'>[],
): Promise<void> {
  const named = [...new Set(units.flatMap(({ gateway_id }) => gateway_id ?? []))];
  const hasUnnamed = units.some(({ gateway_id }) => gateway_id === null);
  await sql`update gateway_state set list_rev = list_rev + 1 where farm_id = ${farmId} and (device_id = any(${named})
    or (${hasUnnamed} and device_id = ${firstGateway(farmId)}))`.execute(trx);
}

/** Another gateway may speak for the units that name none. */
export function bumpUnnamed(trx: Db, farmId: number): Promise<void> {
  return bumpLists(trx, farmId, [{ gateway_id: null }]);
}

/** Whether a gateway that speaks for units of the farm has not acknowledged its newest list. */
export async function isBehind(db: Db, farmId: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from gateway_state s join device h on h.farm_id = s.farm_id and h.id = s.device_id
    where s.farm_id = ${farmId} and h.deleted_at is null and s.list_rev <> s.acked_rev
      and exists (select from device d where d.farm_id = ${farmId} and d.kind in ('sprinkler', 'repeater')
        and d.deleted_at is null and d.mac is not null and ${speakingGateway(farmId)} = h.id) limit 1`.execute(
      db,
    );
  return rows.length > 0;
}
