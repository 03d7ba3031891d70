import type { PoolClient } from 'pg';
import { normaliseMac } from '@headrace/device/topics';
import { kyselyOn } from '../../db/sql-client.ts';
import { swapHardware } from '../devices/swap-hardware.ts';
import { endHeld } from '../programmes/save-held.ts';
import type { Swap } from './answers.ts';
import type { CarriedOut } from './settle.ts';
import { forgetValve } from './valve-words.ts';

/** Another unit took the place of this one: our records follow. */
export async function swapUnits(client: PoolClient, { unit, at }: CarriedOut): Promise<Swap[]> {
  const { farmId, deviceId, payload, accountId } = unit;
  const mac = normaliseMac(String(payload['mac']));
  if (!mac) return [];
  const serialNumber = String(payload['serialNumber']);
  const by = { accountId, now: at };
  const swapped = await swapHardware(kyselyOn(client), farmId, deviceId, { mac, serialNumber }, by);
  if (!swapped) return [];
  const { position, spare, now } = swapped;
  // What the units said of themselves went with them: nobody knows yet which schedule is at which place.
  await client.query(
    `delete from device_fact where farm_id = $1 and device_id = any($2) and name = 'ipcCrc'`,
    [farmId, [position.id, spare.id]],
  );
  await endHeld(
    client,
    [position.id, spare.id].map((id) => ({ farmId, deviceId: id, at: at.getTime() })),
  );
  await forgetValve(client, farmId, [position.id, spare.id]);
  return [
    {
      farmId,
      from: { id: position.uid, serial: position.serial_number, mac: position.mac ?? '' },
      to: { id: now.uid, serial: now.serial_number, mac },
    },
  ];
}
