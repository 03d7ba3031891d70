import type { PoolClient } from 'pg';
import { normaliseMac } from '@headrace/device/topics';
import { newUid } from '../../db/ids.ts';
import type { Swap, SwappedUnit } from './answers.ts';
import type { AnsweredUnit } from './settle.ts';

interface UnitRow {
  id: number;
  uid: string;
  serial: string;
  mac: string;
}

/**
 * Another unit took the place of this one. The position keeps its row, and with it its name, place and history; uid,
 * serial number and MAC go with the hardware. The unit taken out stays on the farm as a spare out of service.
 */
export async function swapUnits(client: PoolClient, unit: AnsweredUnit): Promise<Swap[]> {
  const { farmId, deviceId, payload } = unit;
  const mac = normaliseMac(String(payload['mac']));
  const position = await unitWhere(client, 'id = $2', [farmId, deviceId]);
  if (!mac || !position || position.mac === mac) return [];
  if (await isTakenByAnother(client, farmId, mac)) return [];
  const spare = await unitWhere(client, 'mac = $2', [farmId, mac]);
  const from: SwappedUnit = { id: position.uid, serial: position.serial, mac: position.mac };
  const to: SwappedUnit = {
    id: spare?.uid ?? newUid(),
    serial: spare?.serial ?? String(payload['serialNumber']),
    mac,
  };
  const spareId = spare?.id ?? (await insertSpare(client, farmId, deviceId));
  // Both keys are unique on the farm: each is set free before the other takes it.
  await client.query(`update device set uid = uid || '-', mac = null where farm_id = $1 and id = any($2)`, [
    farmId,
    [deviceId, spareId],
  ]);
  await identify(client, farmId, deviceId, to, {});
  await identify(client, farmId, spareId, from, { isSpareUnit: true, outOfService: true });
  // What the units said of themselves went with them: nobody knows yet which schedule is at which place.
  await client.query(
    `delete from device_fact where farm_id = $1 and device_id = any($2) and name = 'ipcCrc'`,
    [farmId, [deviceId, spareId]],
  );
  await client.query(
    `update gateway_state set list_rev = list_rev + 1 where farm_id = $1 and device_id = $2`,
    [farmId, unit.gatewayId],
  );
  return [{ farmId, from, to }];
}

/** By a device of another kind, added since the command was sent: the records stay as they are. */
async function isTakenByAnother(client: PoolClient, farmId: number, mac: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from device where farm_id = $1 and mac = $2 and kind <> 'sprinkler' and deleted_at is null`,
    [farmId, mac],
  );
  return rowCount !== 0;
}

async function unitWhere(
  client: PoolClient,
  condition: string,
  values: unknown[],
): Promise<UnitRow | undefined> {
  const { rows } = await client.query<UnitRow>(
    `select id, uid, serial_number as serial, coalesce(mac, '') as mac from device
      where farm_id = $1 and ${condition} and kind = 'sprinkler' and deleted_at is null for update`,
    values,
  );
  return rows[0];
}

/** A spare like the unit at this position: same radio, no place of its own. */
async function insertSpare(client: PoolClient, farmId: number, like: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `insert into device (farm_id, uid, kind, type, name, mac, settings, gateway_id)
      select farm_id, uid || '+', kind, type, 'Spare', null, settings - 'group', gateway_id from device
      where farm_id = $1 and id = $2 returning id`,
    [farmId, like],
  );
  return rows[0]?.id ?? 0;
}

async function identify(
  client: PoolClient,
  farmId: number,
  deviceId: number,
  unit: SwappedUnit,
  settings: object,
): Promise<void> {
  await client.query(
    `update device set uid = $3, serial_number = $4, mac = $5, settings = settings || $6::jsonb, updated_at = now()
      where farm_id = $1 and id = $2`,
    [farmId, deviceId, unit.id, unit.serial, unit.mac, JSON.stringify(settings)],
  );
}
