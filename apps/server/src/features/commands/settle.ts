import type { PoolClient } from 'pg';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { type CommandType, commandTypes, type UnitState } from '@headrace/contract/command-types';
import { afterAnswer, expiryNote } from './command-life.ts';
import { liveStates } from '../../db/under-way.ts';
import {
  type CommandKey,
  type GatewayAnswer,
  nothingSettled,
  type Settled,
  type ValveReport,
} from './answers.ts';
import { answeredBefore, answeredColumns, answeredTables } from './answered-before.ts';
import { carryOutEffects } from './effects.ts';
import {
  lockCommands,
  type Step,
  type UnitChange,
  writeCommandStates,
  writeNotes,
  writeSteps,
  writeUnits,
} from './command-writer.ts';
import { waitToBeHeard } from '../programmes/catch-up-writer.ts';
import type { UnitHeldReport } from '../programmes/held-writer.ts';
import { type EndedUnit, noteAnswers } from './gateway-pace.ts';
import { liveOffs, takeReportedOffs } from './reported-offs.ts';
import { commandsOfValves, settleValves } from './settle-valves.ts';
import { SENT_BEFORE } from './superseded.ts';
import { AGAIN_NOTE, noteStartsAnswered } from './stop-again.ts';
import { endJoined, type PollEnd, pollsJoined } from './joined-polls.ts';
import { noteOpenSince } from './valve-notes.ts';
import { isPoll } from './polls.ts';

/** A unit of a command that an answer is about. */
export interface AnsweredUnit extends CommandKey {
  readonly deviceId: number;
  readonly gatewayId: number;
  readonly cmdId: string;
  /** As it was sent. */
  readonly mac: string | null;
  /** Whether that unit is still at this place. */
  readonly isHere: boolean;
  readonly state: UnitState;
  readonly note: string;
  readonly type: CommandType;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Of a schedule: what it is. */
  readonly crc: string | null;
  readonly entries: readonly ScheduleEntry[] | null;
  readonly maxOpenMinutes: number | null;
  /** Who sent it; null: we did, by ourselves, or the account is gone. */
  readonly accountId: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Of a stop: it goes once more then, and isn't done before. */
  readonly againAt: Date | null;
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
  const locked = [
    ...(await commandsAnswered(client, answers)),
    ...(await answeredBefore(client, answers)),
    ...(await pollsJoined(client, answers)),
    ...(await commandsOfValves(client, valves)),
    ...(await liveOffs(client, valves)),
  ];
  await lockCommands(client, locked);
  const taken = answers.length > 0 ? await settleAnswers(client, answers, locked, now) : noAnswers;
  const seen = await settleValves(client, valves, taken.carriedOut, now);
  await noteOpenSince(client, valves);
  const closed = await takeReportedOffs(client, valves, now);
  const changed = [...taken.changed, ...seen.changed, ...closed.changed];
  if (changed.length === 0) return nothingSettled;
  return {
    matched: taken.matched,
    changed,
    gateways: distinctGateways([...taken.gateways, ...seen.gateways, ...closed.gateways]),
    swaps: taken.swaps,
    valves: taken.valves,
    held: taken.held,
  };
}

type SettledAnswers = Settled & { readonly carriedOut: readonly AnsweredUnit[] };
const noAnswers: SettledAnswers = { ...nothingSettled, carriedOut: [] };

async function settleAnswers(
  client: PoolClient,
  answers: readonly GatewayAnswer[],
  locked: readonly CommandKey[],
  now: Date,
): Promise<SettledAnswers> {
  // Read anew: the lock may have been waited for.
  const isLocked = new Set(locked.map(({ commandId }) => commandId));
  const read = [...(await unitsAnswered(client, answers)), ...(await answeredBefore(client, answers))];
  const units = read.filter(({ commandId }) => isLocked.has(commandId));
  if (units.length === 0) return noAnswers;
  const found = takeAnswers(answers, units);
  await writeNotes(client, found.unitNotes);
  await writeUnits(client, found.changes);
  await writeSteps(client, found.notes);
  await writeProgress(client, found.progress);
  const { swaps, closed } = await carryOutEffects(client, found.carriedOut);
  const joined = await endJoined(client, found.pollEnds, isLocked);
  const changed = await writeCommandStates(client, [...units, ...joined], now);
  const ended = found.changes.filter(({ state }) => state === 'done' || state === 'failed');
  await waitToBeHeard(
    client,
    ended.filter(({ state }) => state === 'failed'),
    now,
  );
  await noteAnswers(client, found.answered);
  await noteStartsAnswered(client, found.answered, now);
  return {
    matched: found.matched,
    changed: [...changed, ...closed.map((key) => ({ ...keyOf(key), isFinished: false }))],
    gateways: ended.length > 0 ? units : [],
    swaps,
    valves: found.carriedOut.flatMap(valveMoved),
    held: found.carriedOut.flatMap(scheduleTaken),
    carriedOut: found.carriedOut.map(({ unit }) => unit),
  };
}

// The ids first, by their index; then who is meant. One step of both reads the whole table.
const unitsText = `with k as materialized (
    select * from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as k (farm_id, gateway_id, cmd_id, mac)),
  u as materialized (
    select u.* from (select distinct farm_id, gateway_id, cmd_id from k) x
      join command_unit u using (farm_id, gateway_id, cmd_id))
  select ${answeredColumns('u')} from u ${answeredTables}
  where (u.farm_id, u.gateway_id, u.cmd_id) in (select farm_id, gateway_id, cmd_id from k where mac is null)
    or (u.farm_id, u.gateway_id, u.cmd_id, coalesce(u.mac, d.mac)) in
      (select farm_id, gateway_id, cmd_id, mac from k where mac is not null)
  order by u.farm_id, u.command_id, u.position`;

const commandsText = `select distinct u.farm_id as "farmId", u.command_id as "commandId"
  from (select distinct * from unnest($1::int[], $2::int[], $3::text[]) as k (farm_id, gateway_id, cmd_id)) k
  join command_unit u using (farm_id, gateway_id, cmd_id)`;

/** The commands that these answers are to, to be locked. */
async function commandsAnswered(
  client: PoolClient,
  answers: readonly GatewayAnswer[],
): Promise<CommandKey[]> {
  if (answers.length === 0) return [];
  const { rows } = await client.query<CommandKey>({
    name: 'commands-answered',
    text: commandsText,
    values: [
      answers.map(({ farmId }) => farmId),
      answers.map(({ gatewayId }) => gatewayId),
      answers.map(({ cmdId }) => cmdId),
    ],
  });
  return rows;
}

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
  /** What was said of the command as a whole, for units that have no answer of their own. */
  unitNotes: (CommandKey & { deviceId: number; note: string })[];
  progress: (CommandKey & { done: number; total: number })[];
  carriedOut: CarriedOut[];
  /** Units of which the gateway told the end, whatever we make of it. */
  answered: EndedUnit[];
  /** What was answered to polls: others of the same units may wait for it. */
  pollEnds: PollEnd[];
}

/** Several answers of one batch may be about the same unit: each is judged by the state that the one before left. */
function takeAnswers(answers: readonly GatewayAnswer[], units: readonly AnsweredUnit[]): Taken {
  const taken: Taken = {
    matched: 0,
    changes: [],
    notes: [],
    unitNotes: [],
    progress: [],
    carriedOut: [],
    answered: [],
    pollEnds: [],
  };
  const states = new Map<AnsweredUnit, UnitState>();
  for (const answer of answers) {
    const about = lastList(
      answer,
      units.filter((unit) => isAbout(answer, unit)),
    );
    const [first] = about;
    if (!first) continue;
    if (answer.answer === 'done' && !answer.cmdId.startsWith('list-')) taken.matched += 1;
    const ofSome = ofSomeNote(answer, about);
    if (ofSome) {
      noteOfSome(answer, about, ofSome, taken);
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
  const before = states.get(unit) ?? unit.state;
  if (answer.answer === 'done' || answer.answer === 'failed')
    taken.answered.push({ ...unit, at, isDone: answer.answer === 'done', attempts: answer.attempts });
  const state = afterAnswer(before, answer.answer, { at, expiresAt: unit.expiresAt });
  if (!state) {
    if (before === 'cancelled' && answer.answer === 'failed') noteOfCancelled(answer, unit, at, taken);
    return;
  }
  states.set(unit, state);
  const isAgain = unit.againAt !== null && (state === 'done' || state === 'failed');
  taken.changes.push({
    ...keyOf(unit),
    deviceId: unit.deviceId,
    at,
    ...(isAgain ? { state: 'accepted', note: AGAIN_NOTE } : { state, note: noteOf(answer, before) }),
  });
  if (state === 'done') taken.carriedOut.push({ unit, at });
  if (isPoll(unit.type) && (state === 'done' || state === 'failed'))
    taken.pollEnds.push({ unit, isDone: state === 'done', at });
}

/** It ended before, as it was no longer wanted; now it is known what became of it. */
function noteOfCancelled(answer: GatewayAnswer, unit: AnsweredUnit, at: Date, taken: Taken): void {
  if (!unit.note.endsWith(SENT_BEFORE)) return;
  const said = noteOf(answer, 'cancelled');
  const { deviceId } = unit;
  taken.notes.push({ ...keyOf(unit), at, state: 'failed', deviceId, note: said });
  taken.unitNotes.push({ ...keyOf(unit), deviceId, note: unit.note.slice(0, -SENT_BEFORE.length) + said });
}

/** By its answer: where another unit has come to its place since, that one did nothing. */
function valveMoved({ unit: { type, isHere, farmId, deviceId }, at }: CarriedOut): ValveReport[] {
  const isOpen = type === commandTypes.ValveOn || type === commandTypes.TurnGroupValvesOn;
  const isClosed = type === commandTypes.ValveOff || type === commandTypes.TurnGroupValvesOff;
  return isHere && (isOpen || isClosed) ? [{ farmId, deviceId, at: at.getTime(), isOpen }] : [];
}

/** By its answer, where that very unit is still at this place. */
function scheduleTaken({ unit, at }: CarriedOut): UnitHeldReport[] {
  const { farmId, deviceId, crc, entries, payload, isHere } = unit;
  if (!isHere || crc === null || entries === null) return [];
  const cycleDays = Number(payload['cycleLen'] ?? 1);
  return [{ farmId, deviceId, at: at.getTime(), crc, how: 'answered', programme: { entries, cycleDays } }];
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

/** What a note begins with that tells what a gateway said. */
export const GATEWAY_SAYS = 'The gateway says';

/**
 * What a gateway says that doesn't say of which of several units it is true; empty: it is about all of them, or about one.
 * Only a count that names all is about all.
 */
function ofSomeNote({ answer, mac, done, total }: GatewayAnswer, about: readonly AnsweredUnit[]): string {
  if (answer !== 'done' || mac !== null || about.length === 1) return '';
  if (done === null || total === null) return `${GATEWAY_SAYS} done, not for which units.`;
  return done >= about.length && done >= total ? '' : `${GATEWAY_SAYS} ${done} of ${total}, not which.`;
}

/** Kept as a step, and with the units that have no answer of their own, for the case that they never say more. */
function noteOfSome(answer: GatewayAnswer, about: readonly AnsweredUnit[], said: string, taken: Taken): void {
  const isOpen = ({ state }: AnsweredUnit) => liveStates.includes(state) || state === 'expired';
  const untold = about.filter((unit) => isOpen(unit) && !unit.note.startsWith(said));
  const [first] = untold;
  if (!first) return;
  const at = timeOf(answer, first);
  taken.notes.push({ ...keyOf(first), at, state: answer.answer, deviceId: null, note: said });
  for (const { state, farmId, commandId, deviceId } of untold) {
    const note = state === 'expired' ? expiryNote(state, true, { said }) : said;
    taken.unitNotes.push({ farmId, commandId, deviceId, note });
  }
}

function noteOf({ answer, error }: GatewayAnswer, before: UnitState): string {
  if (answer === 'done' && before === 'failed') return 'Done after all: the gateway had said failed.';
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
