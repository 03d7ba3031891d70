import type { CommandState, UnitState } from '@headrace/contract/command-types';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { distinct } from '../../db/distinct.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import type { CommandKey } from './answers.ts';
import { commandStateOf, type UnitCounts } from './command-life.ts';

export interface UnitChange extends CommandKey {
  readonly deviceId: number;
  readonly state: UnitState;
  readonly at: Date;
  readonly note: string;
}

export interface Step extends CommandKey {
  readonly at: Date;
  readonly state: string;
  /** Null: of the command as a whole. */
  readonly deviceId: number | null;
  readonly note: string;
}

// What many have in common is said once: thousands of times it takes the driver longer than the database.
const unitsText = `with k as materialized (select k.*, h.state, h.at, h.note
    from unnest($1::int[], $2::int[], $3::int[], $4::int[]) with ordinality as k (farm_id, command_id, device_id, change, n)
    join unnest($5::text[], $6::timestamptz[], $7::text[]) with ordinality as h (state, at, note, n) on h.n = k.change),
  w as (update command_unit u set state = k.state, at = k.at, note = k.note from k
    where u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id)
  insert into command_step (farm_id, command_id, at, state, device_id, note)
  select farm_id, command_id, at, state, device_id, note from k order by n`;

/** The new state of units, each with its step. Rows of `command` are locked before, always in the order of their keys. */
export async function writeUnits(client: SqlClient, changes: readonly UnitChange[]): Promise<void> {
  if (changes.length === 0) return;
  const [places, common] = distinct(changes, ({ state, at, note }) => `${state}/${at.getTime()}/${note}`);
  await client.query({
    name: 'command-units',
    text: unitsText,
    values: [
      numberArray(changes.map(({ farmId }) => farmId)),
      numberArray(changes.map(({ commandId }) => commandId)),
      numberArray(changes.map(({ deviceId }) => deviceId)),
      numberArray(places),
      common.map(({ state }) => state),
      common.map(({ at }) => at),
      common.map(({ note }) => note),
    ],
  });
}

const stepsText = `insert into command_step (farm_id, command_id, at, state, device_id, note)
  select * from unnest($1::int[], $2::int[], $3::timestamptz[], $4::text[], $5::int[], $6::text[])`;

const notesText = `update command_unit u set note = k.note
  from unnest($1::int[], $2::int[], $3::int[], $4::text[]) as k (farm_id, command_id, device_id, note)
  where u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id`;

/** What is known of units that stay as they are. */
export async function writeNotes(
  client: SqlClient,
  notes: readonly (CommandKey & { deviceId: number; note: string })[],
): Promise<void> {
  if (notes.length === 0) return;
  await client.query({
    name: 'command-unit-notes',
    text: notesText,
    values: [
      notes.map(({ farmId }) => farmId),
      notes.map(({ commandId }) => commandId),
      notes.map(({ deviceId }) => deviceId),
      notes.map(({ note }) => note),
    ],
  });
}

export async function writeSteps(client: SqlClient, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return;
  await client.query({
    name: 'command-steps',
    text: stepsText,
    values: [
      steps.map((step) => step.farmId),
      steps.map((step) => step.commandId),
      steps.map((step) => step.at),
      steps.map((step) => step.state),
      steps.map((step) => step.deviceId),
      steps.map((step) => step.note),
    ],
  });
}

const lockText = `select c.farm_id as "farmId", c.id as "commandId"
  from command c join (select distinct * from unnest($1::int[], $2::int[]) as k (farm_id, id)) k using (farm_id, id)
  order by c.farm_id, c.id for no key update of c`;

/** Steps may still be added by others meanwhile: they only refer to the command. */
export async function lockCommands(client: SqlClient, keys: readonly CommandKey[]): Promise<void> {
  if (keys.length > 0) await client.query({ name: 'lock-commands', text: lockText, values: keyArrays(keys) });
}

const gatewaysText = `select 1 from gateway_state where farm_id = $1 and device_id = any($2) order by device_id for no key update`;

/** Where commands are locked, too: before them. Ingest keeps what a gateway said of itself before it takes its answers. */
export async function lockGateways(
  client: SqlClient,
  farmId: number,
  gatewayIds: readonly number[],
): Promise<void> {
  await client.query({ name: 'lock-gateways', text: gatewaysText, values: [farmId, gatewayIds] });
}

const unitCountsWhere = (
  more: string,
) => `lateral (select coalesce(jsonb_object_agg(s.state, s.n), '{}') as counts, sum(s.n) as total,
    coalesce(sum(s.held_back), 0)::int as "heldBack", coalesce(sum(s.unheard), 0)::int as unheard,
    coalesce(sum(s.given_out) filter (where s.state = 'cancelled'), 0)::int as "cancelledLate"
  from (select u.state, count(*) as n, count(*) filter (where u.held_back and u.state = 'skipped') as held_back,
      count(*) filter (where u.is_unheard and u.state = 'skipped') as unheard, count(*) filter (where u.sending > 0) as given_out from command_unit u
    where u.farm_id = c.farm_id and u.command_id = c.id ${more} group by u.state) s) n`;
/** Of command `c`: how many of its units stand how, how many were left out, of these how many since they had not been heard, and how many were cancelled that a gateway may have. */
export const unitCounts = unitCountsWhere('');

// One of which some ended and some are under way stays so while any is: counting thousands with each answer takes longest.
const countsText = `select c.farm_id as "farmId", c.id as "commandId", c.state, w."isAsBefore", n.counts, n."heldBack"
  from command c join (select distinct * from unnest($1::int[], $2::int[]) as k (farm_id, id)) k using (farm_id, id)
  cross join lateral (select c.state = 'progress' and exists (select from command_unit u where u.farm_id = c.farm_id
    and u.command_id = c.id and ${unitIsLive('u')}) as "isAsBefore" offset 0) w
  cross join ${unitCountsWhere('and not w."isAsBefore"')}`;

const stateText = `update command c set state = k.state, state_at = k.at
  from unnest($1::int[], $2::int[], $3::text[], $4::timestamptz[]) as k (farm_id, id, state, at)
  where c.farm_id = k.farm_id and c.id = k.id`;

export interface CommandProgress extends CommandKey {
  readonly isFinished: boolean;
}

interface Counted extends CommandKey {
  state: CommandState;
  isAsBefore: boolean;
  counts: UnitCounts;
  heldBack: number;
}

/** Brings the commands' own state up to date with their units'; returns those that ended just now as finished. */
export async function writeCommandStates(
  client: SqlClient,
  keys: readonly CommandKey[],
  at: Date,
): Promise<CommandProgress[]> {
  if (keys.length === 0) return [];
  const { rows } = await client.query<Counted>({
    name: 'command-counts',
    text: countsText,
    values: keyArrays(keys),
  });
  const moved = rows.flatMap(({ farmId, commandId, state: before, isAsBefore, counts, heldBack }) => {
    const state = isAsBefore ? before : commandStateOf(counts, heldBack);
    return state === before ? [] : [{ farmId, commandId, before, state, at, deviceId: null, note: '' }];
  });
  if (moved.length > 0) {
    await client.query({
      name: 'command-states',
      text: stateText,
      values: [...keyArrays(moved), moved.map(({ state }) => state), moved.map(() => at)],
    });
    await writeSteps(client, moved);
  }
  const ended = new Set(moved.filter((command) => !isUnderWay(command)).map(keyText));
  return rows.map((row) => ({
    farmId: row.farmId,
    commandId: row.commandId,
    isFinished: ended.has(keyText(row)),
  }));
}

const keyText = ({ farmId, commandId }: CommandKey) => `${farmId}/${commandId}`;
/** Each once: most units are of a few commands. */
function keyArrays(keys: readonly CommandKey[]): string[] {
  const once = [...new Map(keys.map((key) => [keyText(key), key])).values()];
  return [numberArray(once.map(({ farmId }) => farmId)), numberArray(once.map(({ commandId }) => commandId))];
}
