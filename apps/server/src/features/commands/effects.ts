import type { PoolClient } from 'pg';
import { type CommandType, commandTypes } from '@headrace/contract/command-types';
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

type Effect = (client: PoolClient, done: CarriedOut) => Promise<Partial<Effects>>;

const opened: Effect = async (client, { unit, at }) => {
  await noteOpened(client, { ...unit, at });
  return {};
};
const closed: Effect = async (client, { unit, at }) => ({
  closed: await noteClosedByOff(client, { ...unit, at }),
});

const effects: Partial<Record<CommandType, Effect>> = {
  [commandTypes.ValveOn]: opened,
  [commandTypes.TurnGroupValvesOn]: opened,
  [commandTypes.ValveOff]: closed,
  [commandTypes.TurnGroupValvesOff]: closed,
  [commandTypes.Replace]: async (client, { unit }) => ({ swaps: await swapUnits(client, unit) }),
  [commandTypes.ChangeGroupComms]: (client, { unit }) =>
    setMode(client, unit, Number(unit.payload['commsMode'])),
  [commandTypes.IpcUpdate]: (client, { unit }) =>
    setMode(client, unit, modes.indexOf(String(unit.payload['value']))),
  [commandTypes.IpcReconfigure]: (client, { unit }) => takeMark(client, unit),
  [commandTypes.ReconfigureGroup]: (client, { unit }) => takeMark(client, unit),
};

/** What is different in our own records once a command was carried out. */
export async function carryOutEffects(client: PoolClient, done: readonly CarriedOut[]): Promise<Effects> {
  const all: Effects = { swaps: [], closed: [] };
  for (const each of done) {
    const effect = await effects[each.unit.type]?.(client, each);
    all.swaps.push(...(effect?.swaps ?? []));
    all.closed.push(...(effect?.closed ?? []));
  }
  return all;
}

async function setMode(
  client: PoolClient,
  unit: CarriedOut['unit'],
  mode: number,
): Promise<Partial<Effects>> {
  if (modes[mode] === undefined) return {};
  await client.query(
    `update device set settings = settings || jsonb_build_object('commsMode', $3::int), updated_at = now()
      where farm_id = $1 and id = $2`,
    [unit.farmId, unit.deviceId, mode],
  );
  return {};
}

/** It was marked to be set up anew, before it was asked to: it is now. */
async function takeMark(client: PoolClient, unit: CarriedOut['unit']): Promise<Partial<Effects>> {
  await client.query(
    `update device set settings = settings || '{"reconfigure": false}', updated_at = now()
      where farm_id = $1 and id = $2 and (settings->>'reconfigure')::boolean
        and coalesce((settings->>'reconfigureAt')::timestamptz <= $3, true)`,
    [unit.farmId, unit.deviceId, unit.createdAt],
  );
  return {};
}
