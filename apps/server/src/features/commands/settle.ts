import type { PoolClient } from 'pg';
import type { CommandType, UnitState } from '@headrace/contract/command-types';
import { afterAnswer } from './command-life.ts';
import {
  type CommandKey,
  type GatewayAnswer,
  nothingSettled,
  type Settled,
  type ValveReport,
} from './answers.ts';
import { carryOutEffects } from './effects.ts';
import {
  lockCommands,
  type Step,
  type UnitChange,
  writeCommandStates,
  writeSteps,
  writeUnits,
} from './command-writer.ts';
import { commandsOfValves, reportedClosed, settleValves } from './settle-valves.ts';

/** A unit of a command that an answer is about. */
export interface AnsweredUnit extends CommandKey {
  readonly deviceId: number;
  readonly gatewayId: number;
  readonly cmdId: string;
  readonly mac: string | null;
  readonly state: UnitState;
  readonly type: CommandType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly maxOpenMinutes: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A unit that a command was carried out on, just now. */
export interface CarriedOut {
  readonly unit: AnsweredUnit;
  readonly at: Date;
}

/**
 * Takes answers of gateways and reports of valves into the lives of commands, within ingest's transaction: an
 * acknowledged answer is kept. All commands are locked at the beginning, in the order of their keys, so that two
 * servers never deadlock.
 */
export async function settle(
  client: PoolClient,
  answers: readonly GatewayAnswer[],
  valves: readonly ValveReport[],
  now: Date,
): Promise<Settled> {
  const locked = [...(await unitsAnswered(client, answers)), ...(await commandsOfValves(client, valves))];
  await lockCommands(client, locked);
  const taken = answers.length > 0 ? await settleAnswers(client, answers, locked, now) : noAnswers;
  const seen = await settleValves(client, [...valves, ...taken.closedSince], now);
  if (taken.changed.length === 0 && seen.changed.length === 0) return nothingSettled;
  return {
    matched: taken.matched,
    changed: [...taken.changed, ...seen.changed],
    gateways: distinctGateways([...taken.gateways, ...seen.gateways]),
    swaps: taken.swaps,
  };
}

type SettledAnswers = Settled & { readonly closedSince: readonly ValveReport[] };
const noAnswers: SettledAnswers = { ...nothingSettled, closedSince: [] };

async function settleAnswers(
  client: PoolClient,
  answers: readonly GatewayAnswer[],
  locked: readonly CommandKey[],
  now: Date,
): Promise<SettledAnswers> {
  // Read anew: the lock may have been waited for.
  const isLocked = new Set(locked.map(({ commandId }) => commandId));
  const units = (await unitsAnswered(client, answers)).filter(({ commandId }) => isLocked.has(commandId));
  if (units.length === 0) return noAnswers;
  const found = takeAnswers(answers, units);
  await writeUnits(client, found.changes);
  await writeSteps(client, found.notes);
  await writeProgress(client, found.progress);
  const { swaps, closed } = await carryOutEffects(client, found.carriedOut);
  const changed = await writeCommandStates(client, units, now);
  const ended = found.changes.filter(({ state }) => state === 'done' || state === 'failed');
  return {
    matched: found.matched,
    changed: [...changed, ...closed.map((key) => ({ ...keyOf(key), isFinished: false }))],
    gateways: ended.length > 0 ? units : [],
    swaps,
    closedSince: await reportedClosed(
      client,
      found.carriedOut.map(({ unit }) => unit),
    ),
  };
}

// The ids first, by their index; then who is meant. One step of both reads the whole table.
const unitsText = `with k as materialized (
    select * from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as k (farm_id, gateway_id, cmd_id, mac)),
  u as materialized (
    select u.* from (select distinct farm_id, gateway_id, cmd_id from k) x
      join command_unit u using (farm_id, gateway_id, cmd_id))
  select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    u.gateway_id as "gatewayId", u.cmd_id as "cmdId", d.mac, u.state, c.type, c.payload,
    c.max_open_minutes as "maxOpenMinutes", c.created_at as "createdAt", c.expires_at as "expiresAt"
  from u
  join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join device d on d.farm_id = u.farm_id and d.id = u.device_id
  where (u.farm_id, u.gateway_id, u.cmd_id) in (select farm_id, gateway_id, cmd_id from k where mac is null)
    or (u.farm_id, u.gateway_id, u.cmd_id, d.mac) in
      (select farm_id, gateway_id, cmd_id, mac from k where mac is not null)
  order by u.farm_id, u.command_id, u.position`;

async function unitsAnswered(client: PoolClient, answers: readonly GatewayAnswer[]): Promise<AnsweredUnit[]> {
  if (answers.length === 0) return [];
  const { rows } = await client.query<AnsweredUnit>({
    name: 'units-answered',
    text: unitsText,
    values: [
      answers.map(({ farmId }) => farmId),
      answers.map(({ gatewayId }) => gatewayId),
      answers.map(({ cmdId }) => cmdId),
      answers.map(({ mac }) => mac),
    ],
  });
  return rows;
}

interface Taken {
  matched: number;
  changes: UnitChange[];
  notes: Step[];
  progress: (CommandKey & { done: number; total: number })[];
  carriedOut: CarriedOut[];
}

/** Several answers of one batch may be about the same unit: each is judged by the state that the one before left. */
function takeAnswers(answers: readonly GatewayAnswer[], units: readonly AnsweredUnit[]): Taken {
  const taken: Taken = { matched: 0, changes: [], notes: [], progress: [], carriedOut: [] };
  const states = new Map<AnsweredUnit, UnitState>();
  for (const answer of answers) {
    const about = lastList(
      answer,
      units.filter((unit) => isAbout(answer, unit)),
    );
    const [first] = about;
    if (!first) continue;
    if (answer.answer === 'done' && !answer.cmdId.startsWith('list-')) taken.matched += 1;
    if (isPartly(answer, about)) {
      const note = `The gateway says ${answer.done} of ${answer.total}, not which.`;
      taken.notes.push({
        ...keyOf(first),
        at: timeOf(answer, first),
        state: answer.answer,
        deviceId: null,
        note,
      });
      continue;
    }
    if (answer.answer === 'progress' && answer.done !== null && answer.total !== null)
      taken.progress.push({ ...keyOf(first), done: answer.done, total: answer.total });
    for (const unit of about) takeAnswer(answer, unit, states, taken);
  }
  taken.changes = lastOfEach(taken.changes, taken.notes);
  return taken;
}

function takeAnswer(
  answer: GatewayAnswer,
  unit: AnsweredUnit,
  states: Map<AnsweredUnit, UnitState>,
  taken: Taken,
): void {
  const at = timeOf(answer, unit);
  const state = afterAnswer(states.get(unit) ?? unit.state, answer.answer, { at, expiresAt: unit.expiresAt });
  if (!state) return;
  states.set(unit, state);
  taken.changes.push({ ...keyOf(unit), deviceId: unit.deviceId, state, at, note: noteOf(answer) });
  if (state === 'done') taken.carriedOut.push({ unit, at });
}

/** Of two changes of one unit in one batch the later is the state; the earlier stays as a step. */
function lastOfEach(changes: readonly UnitChange[], steps: Step[]): UnitChange[] {
  const last = new Map(
    changes.map((change) => [`${change.farmId}/${change.commandId}/${change.deviceId}`, change]),
  );
  const kept = new Set(last.values());
  steps.push(...changes.filter((change) => !kept.has(change)));
  return [...kept];
}

function isAbout(answer: GatewayAnswer, unit: AnsweredUnit): boolean {
  return (
    answer.farmId === unit.farmId &&
    answer.gatewayId === unit.gatewayId &&
    answer.cmdId === unit.cmdId &&
    (answer.mac === null || answer.mac === unit.mac)
  );
}

/** A list keeps its number while it stays the same: its answer is to the last command that sent it. */
function lastList({ cmdId }: GatewayAnswer, about: readonly AnsweredUnit[]): readonly AnsweredUnit[] {
  return cmdId.startsWith('list-') ? about.slice(-1) : about;
}

/** Done for some of several units without saying which: nothing is known of any of them. */
function isPartly({ answer, mac, done, total }: GatewayAnswer, about: readonly AnsweredUnit[]): boolean {
  return (
    answer === 'done' && mac === null && about.length > 1 && done !== null && total !== null && done < total
  );
}

function noteOf({ answer, error }: GatewayAnswer): string {
  if (answer !== 'failed') return '';
  return error ? `The gateway says: ${error}` : 'The gateway gave no reason.';
}

/** The gateway's own time where it can be true: after the command was made and not after we heard it. */
function timeOf({ at, receivedAt }: GatewayAnswer, { createdAt }: AnsweredUnit): Date {
  return new Date(at >= createdAt.getTime() && at <= receivedAt ? at : receivedAt);
}

const keyOf = ({ farmId, commandId }: CommandKey) => ({ farmId, commandId });

async function writeProgress(client: PoolClient, progress: Taken['progress']): Promise<void> {
  for (const { farmId, commandId, done, total } of progress) {
    await client.query(
      `update command set progress_done = greatest(progress_done, $3), progress_total = $4 where farm_id = $1 and id = $2`,
      [farmId, commandId, done, total],
    );
  }
}

function distinctGateways(gateways: Settled['gateways']): Settled['gateways'] {
  return [...new Map(gateways.map(({ farmId, gatewayId }) => [gatewayId, { farmId, gatewayId }])).values()];
}
