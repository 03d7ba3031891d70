import type { PoolClient } from 'pg';
import { normaliseMac } from '@headrace/device/topics';
import { kyselyOn } from '../../db/sql-client.ts';
import { swapHardware } from '../devices/swap-hardware.ts';
import { catchUpAtOnce, endCatchUps } from '../programmes/catch-up-writer.ts';
import { endHeld } from '../programmes/save-held.ts';
import type { Swap } from './answers.ts';
import { UNCHANGED } from './command-message.ts';
import { writeNotes, writeSteps } from './command-writer.ts';
import type { CarriedOut } from './settle.ts';

/** Another unit took the place of this one: our records follow. Where they can't, the command says so. */
export async function swapUnits(client: PoolClient, { unit, at }: CarriedOut): Promise<Swap[]> {
  const { farmId, deviceId, payload, accountId } = unit;
  const mac = normaliseMac(String(payload['mac']));
  if (!mac) return [];
  const serialNumber = String(payload['serialNumber']);
  const by = { accountId, now: at };
  const swapped = await swapHardware(kyselyOn(client), farmId, deviceId, { mac, serialNumber }, by);
  if (typeof swapped === 'string') {
    if (swapped !== '') await noteUnchanged(client, { unit, at }, swapped);
    return [];
  }
  const { position, spare, now } = swapped;
  await forgetReported(client, farmId, [position.id, spare.id]);
  await endHeld(
    client,
    [position.id, spare.id].map((id) => ({ farmId, deviceId: id, at: at.getTime() })),
  );
  const place = { farmId, deviceId: position.id };
  if (payload['sendSchedule'] === true) await catchUpAtOnce(client, place, at);
  else await endCatchUps(client, [place]);
  return [
    {
      farmId,
      from: { id: position.uid, serial: position.serial_number, mac: position.mac ?? '' },
      to: { id: now.uid, serial: now.serial_number, mac },
    },
  ];
}

async function noteUnchanged(client: PoolClient, { unit, at }: CarriedOut, why: string): Promise<void> {
  const { farmId, commandId, deviceId } = unit;
  const note = `${UNCHANGED}: ${why}`;
  await writeNotes(client, [{ farmId, commandId, deviceId, note }]);
  await writeSteps(client, [{ farmId, commandId, deviceId, at, state: 'done', note }]);
}

/**
 * What the units said of themselves went with them: nobody has heard yet how the one at each place is now. The times of the
 * last readings stay, since what is stored goes on from there.
 */
async function forgetReported(
  client: PoolClient,
  farmId: number,
  deviceIds: readonly number[],
): Promise<void> {
  await client.query(
    `delete from device_fact where farm_id = $1 and device_id = any($2)
      and name in ('ipcCrc', 'mode', 'openSince', 'valveOff')`,
    [farmId, deviceIds],
  );
  await client.query(
    `update latest l set value = null, valid_at = null, valid_value = null from series s
      where s.farm_id = $1 and s.device_id = any($2) and l.farm_id = s.farm_id and l.series_id = s.id`,
    [farmId, deviceIds],
  );
}
