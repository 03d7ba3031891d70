import type { PoolClient } from 'pg';
import { commandTypes } from '@headrace/contract/command-types';
import type { CommandKey, Swap } from './answers.ts';
import type { CarriedOut } from './settle.ts';
import { noteClosedByOff, noteOpened } from './settle-valves.ts';
import { swapUnits } from './swap-units.ts';

const modes = ['Mesh', 'Local', 'Hybrid'];

export interface Effects {
  /** Units that changed places. */
  swaps: Swap[];
  /** Commands whose valve a later command closed. */
  closed: CommandKey[];
}

/** What is different in our own records once a command was carried out. */
export async function carryOutEffects(client: PoolClient, done: readonly CarriedOut[]): Promise<Effects> {
  const effects: Effects = { swaps: [], closed: [] };
  for (const { unit, at } of done) {
    switch (unit.type) {
      case commandTypes.ValveOn:
      case commandTypes.TurnGroupValvesOn:
        await noteOpened(client, { ...unit, at });
        break;
      case commandTypes.ValveOff:
      case commandTypes.TurnGroupValvesOff:
        effects.closed.push(...(await noteClosedByOff(client, { ...unit, at })));
        break;
      case commandTypes.Replace:
        effects.swaps.push(...(await swapUnits(client, unit)));
        break;
      case commandTypes.ChangeGroupComms:
        await setMode(client, unit, Number(unit.payload['commsMode']));
        break;
      case commandTypes.IpcUpdate:
        await setMode(client, unit, modes.indexOf(String(unit.payload['value'])));
        break;
      default:
    }
  }
  return effects;
}

async function setMode(client: PoolClient, unit: CarriedOut['unit'], mode: number): Promise<void> {
  if (modes[mode] === undefined) return;
  await client.query(
    `update device set settings = settings || jsonb_build_object('commsMode', $3::int), updated_at = now()
      where farm_id = $1 and id = $2`,
    [unit.farmId, unit.deviceId, mode],
  );
}
