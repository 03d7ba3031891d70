import type { PoolClient } from 'pg';
import { normaliseMac } from '@headrace/device/topics';
import { kyselyOn } from '../../db/sql-client.ts';
import { swapHardware } from '../devices/swap-hardware.ts';
import { forgetUnits } from '../programmes/another-unit.ts';
import { catchUpAtOnce, endCatchUps } from '../programmes/catch-up-writer.ts';
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
  await forgetUnits(client, { farmId, deviceIds: [position.id, spare.id] }, at);
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
