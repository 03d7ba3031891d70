import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { By } from '../devices/record-change.ts';
import { noteClockChange } from './farm-clock.ts';
import { logChanges } from '../changes/change-log.ts';
import { lockFarm } from './farm-editor.ts';
import { clockChanges, entryChanges } from './present-farm.ts';

/** The columns of a farm that people fill, its size and its clock, as they stand in `row`. */
export async function putFarmBack(
  trx: Db,
  farmId: number,
  row: Readonly<Record<string, unknown>>,
  by: By,
): Promise<void> {
  const before = await lockFarm(trx, farmId);
  const { rows } =
    await sql<FarmRow>`update farm f set name = n.name, description = n.description, icon = n.icon,
      lat = n.lat, lng = n.lng, size_ha = n.size_ha, boundary = n.boundary, tank_only = n.tank_only, v3_site = n.v3_site,
      wal_config = n.wal_config, address = n.address, supplier = n.supplier, irrigation_area_ha = n.irrigation_area_ha,
      time_zone_id = n.time_zone_id, raw_offset = n.raw_offset, dst_offset = n.dst_offset, dst_enabled = n.dst_enabled,
      version = f.version + 1, updated_at = ${by.now}
    from jsonb_populate_record(null::farm, ${JSON.stringify(row)}::jsonb) n where f.id = ${farmId} returning f.*`.execute(
      trx,
    );
  const [after] = rows;
  if (!after) return;
  const clock = clockChanges(before, after);
  if (clock.length > 0) await noteClockChange(trx, before, by.now);
  const { accountId, page, batch, now } = by;
  const fields = [...entryChanges(before, after), ...clock];
  const { uid, name } = after;
  const change = {
    farmId,
    accountId,
    kind: 'farm',
    uid,
    name,
    what: 'changed',
    fields,
    page,
    batch,
  } as const;
  await logChanges(trx, [change], now);
}
