import type { PoolClient } from 'pg';
import { type CommandType, commandTypes } from '@headrace/contract/command-types';
import type { DeviceRow } from '../../db/schema.ts';
import { kyselyOn } from '../../db/sql-client.ts';
import { changeByCommand } from '../devices/change-records.ts';
import type { CommandKey, Swap } from './answers.ts';
import type { AnsweredUnit, CarriedOut } from './settle.ts';
import { noteClosedByOff, noteOpened } from './openings.ts';
import { swapUnits } from './swap-units.ts';
import { noteValveOffs } from './valve-notes.ts';

const modes = ['Mesh', 'Local', 'Hybrid'];

export interface Effects {
  /** Units that changed places. */
  swaps: Swap[];
  /** Commands whose valve a later command closed. */
  closed: CommandKey[];
}

/** Of units of one command that were answered one after the other. */
type Effect = (client: PoolClient, done: readonly CarriedOut[]) => Promise<Partial<Effects>>;
/** Of each by itself. */
const each =
  (effect: (client: PoolClient, done: CarriedOut) => Promise<Partial<Effects>>): Effect =>
  async (client, done) => {
    const all = [];
    for (const one of done) all.push(await effect(client, one));
    return joined(all);
  };

const opened = each(async (client, { unit, at }) => {
  await noteOpened(client, { ...unit, at });
  return {};
});
const closed: Effect = async (client, done) => {
  const units = done.map(({ unit, at }) => ({ ...unit, at }));
  await noteValveOffs(client, units);
  return { closed: await noteClosedByOff(client, units) };
};

const effects: Partial<Record<CommandType, Effect>> = {
  [commandTypes.ValveOn]: opened,
  [commandTypes.TurnGroupValvesOn]: opened,
  [commandTypes.ValveOff]: closed,
  [commandTypes.TurnGroupValvesOff]: closed,
  [commandTypes.Replace]: each(async (client, done) => ({ swaps: await swapUnits(client, done) })),
  [commandTypes.ChangeGroupComms]: (client, done) =>
    setMode(client, done, ({ payload }) => Number(payload['commsMode'])),
  [commandTypes.IpcUpdate]: (client, done) =>
    setMode(client, done, ({ payload }) => modes.indexOf(String(payload['value']))),
  [commandTypes.IpcReconfigure]: (client, done) => takeMark(client, done),
  [commandTypes.ReconfigureGroup]: (client, done) => takeMark(client, done),
};

/** What is different in our own records once a command was carried out; in the order in which it was. */
export async function carryOutEffects(client: PoolClient, done: readonly CarriedOut[]): Promise<Effects> {
  const all = [];
  for (const run of runsOfCommand(done)) all.push((await effects[run[0].unit.type]?.(client, run)) ?? {});
  return joined(all);
}

const joined = (parts: readonly Partial<Effects>[]): Effects => ({
  swaps: parts.flatMap(({ swaps }) => swaps ?? []),
  closed: parts.flatMap(({ closed }) => closed ?? []),
});

type Run = [CarriedOut, ...CarriedOut[]];

/** A unit's answers to two commands stay in their order: only neighbours are taken together. */
function runsOfCommand(done: readonly CarriedOut[]): Run[] {
  const runs: Run[] = [];
  for (const one of done) {
    const last = runs.at(-1);
    const { farmId, commandId } = one.unit;
    if (last && last[0].unit.farmId === farmId && last[0].unit.commandId === commandId) last.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** Units of one command, and whose it is. */
function asSet(done: readonly CarriedOut[]) {
  const [first] = done;
  if (!first) return null;
  const by = { accountId: first.unit.accountId, now: first.at };
  return { farmId: first.unit.farmId, ids: done.map(({ unit }) => unit.deviceId), by, unit: first.unit };
}

async function setMode(
  client: PoolClient,
  done: readonly CarriedOut[],
  modeOf: (unit: AnsweredUnit) => number,
): Promise<Partial<Effects>> {
  const set = asSet(done);
  const commsMode = set ? modeOf(set.unit) : -1;
  if (set && modes[commsMode] !== undefined)
    await changeByCommand(kyselyOn(client), set.farmId, set.ids, { commsMode }, set.by);
  return {};
}

/** It was marked to be set up anew, before it was asked to: it is now. */
async function takeMark(client: PoolClient, done: readonly CarriedOut[]): Promise<Partial<Effects>> {
  const set = asSet(done);
  if (!set) return {};
  const isMarked = ({ settings: { reconfigure, reconfigureAt } }: DeviceRow) =>
    reconfigure === true &&
    (typeof reconfigureAt !== 'string' || new Date(reconfigureAt) <= set.unit.createdAt);
  await changeByCommand(kyselyOn(client), set.farmId, set.ids, { reconfigure: false }, set.by, isMarked);
  return {};
}
