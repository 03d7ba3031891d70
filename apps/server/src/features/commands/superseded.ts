import { commandTitles, type CommandName, commandTypes } from '@headrace/contract/command-types';
import { commandInfo } from '@headrace/device/commands';
import { isInhibit, isValveOff, isValveOn, lanes, type Lane } from '@headrace/device/lanes';
import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { stopAsBefore } from '../programmes/stop-writer.ts';
import {
  type CommandProgress,
  lockCommands,
  lockGateways,
  type UnitChange,
  writeCommandStates,
  writeUnits,
} from './command-writer.ts';
import type { NewUnit } from './commands.repo.ts';

/** A command that is about to be added, as far as older ones are concerned. */
export interface Newcomer {
  readonly farmId: number;
  readonly name: CommandName;
  readonly lane: Lane;
  readonly payload: { readonly relay?: number };
  readonly deviceIds: readonly number[];
  /** Those of them that it lets water again, where they were inhibited. */
  readonly lifts: ReadonlySet<number>;
  /** Of an Inhibit: it stops them until a hold is over, and not until a person says so. */
  readonly isHold?: boolean;
  /** It is a hold's end: whoever must not water for another reason by now is left out. */
  readonly isRelease?: boolean;
  /** Of an Inhibit: the send that let its units water, which stop as they were stopped before it. */
  readonly stopsAfter?: number | undefined;
  /** The Inhibit that it undoes: whoever must not water for another reason by now is left out. */
  readonly undoes?: number | undefined;
  readonly at: Date;
}

/** What the new one did to older ones. */
export interface Superseded {
  readonly changed: readonly CommandProgress[];
  /** Units that an older one was to let water must not again. */
  readonly isStoppedAgain: boolean;
  /** Units whose gateway may carry out an older start after the stop: when the stop goes once more. */
  readonly againAt: ReadonlyMap<number, Date>;
  /** Until when a start that a gateway was given may keep a valve open. */
  readonly openUntil: ReadonlyMap<number, Date>;
}

/** What parts of an older command that stand alike have in common. */
interface OldPart {
  farmId: number;
  commandId: number;
  gatewayId: number;
  lane: Lane;
  type: number;
  /** A gateway may have it. */
  isGivenOut: boolean;
  /** The gateway tells by numbers what is older; the stop has to go to the same one. */
  isNumbered: boolean;
  hasSchedule: boolean;
  /** Of a pump, before all valves of the farm were closed. */
  isPumpOff: boolean;
  /** Since when it is in its state. */
  since: Date;
  expiresAt: Date;
  maxOpenMinutes: number | null;
}
interface OldUnit extends OldPart {
  deviceId: number;
}
interface OldParts extends OldPart {
  deviceIds: number[];
}
/** A command that has units of the newcomer's under way; since the first of them is as it is. */
type Candidate = Pick<
  OldPart,
  'farmId' | 'commandId' | 'gatewayId' | 'lane' | 'type' | 'hasSchedule' | 'isPumpOff' | 'since'
>;

/** Of a part that a gateway may have: what a note ends with until it says more. */
export const SENT_BEFORE = 'It had been sent by then: it is not known whether it was carried out.';

/** After its last moment a gateway may still be at it; a schedule has no such moment of its own, ms. */
export const LAST_START_MS = 2 * 60_000;
const SCHEDULE_MS = 3 * 60_000;
const MINUTE_MS = 60_000;

/** A stop that got no answer for longer holds nothing up any more, ms. */
const STOP_WAITS_MS = 10 * MINUTE_MS;

const isSchedule = (type: number) => commandInfo(type)?.topic === 'schedules';

// What opens valves also ends what their pumps wait for. Else the list of units stands by itself: joined to another it would be
// searched from its beginning for each unit, and not as a hash.
const unitsAnd = (opens: boolean) =>
  opens ? '$2::int[] || array(select o.device_id from gateway_state o where o.farm_id = $1)' : '$2::int[]';
// Parts first, then their commands: joined at once, all commands that the farm ever had may be compared with each part.
const liveOf = (
  opens: boolean,
) => `u as materialized (select u.command_id, u.device_id, u.gateway_id, u.lane, u.at, u.expires_at,
      u.sending > 0 as is_given_out, coalesce(jsonb_array_length(u.entries) > 0, false) as has_schedule
    from command_unit u
    where u.farm_id = $1 and u.device_id = any(${unitsAnd(opens)}) and ${unitIsLive('u')}),
  c as materialized (select c.id, c.type, c.payload ? 'pumpFirst' as is_pump_off, c.expires_at, c.max_open_minutes
    from command c where c.farm_id = $1 and c.id = any(array(select distinct command_id from u))
      and (c.type <> ${commandTypes.ToggleIO} or (c.payload->>'relay')::int is not distinct from $3 or ${opens} and c.payload ? 'pumpFirst'))`;
// Commands first, in the order of their keys as everybody locks them; their units are read after that.
const candidatesOf = (
  opens: boolean,
) => `with ${liveOf(opens)} select $1::int as "farmId", u.command_id as "commandId", u.gateway_id as "gatewayId", u.lane, c.type,
    bool_or(u.has_schedule) as "hasSchedule", c.is_pump_off as "isPumpOff", min(u.at) as since
  from u join c on c.id = u.command_id group by u.command_id, u.gateway_id, u.lane, c.type, c.is_pump_off`;
// Most of thousands stand alike: a row for each takes the driver longer than the database.
const partsOf = (
  opens: boolean,
) => `with ${liveOf(opens)} select $1::int as "farmId", u.command_id as "commandId", array_agg(u.device_id) as "deviceIds",
    u.gateway_id as "gatewayId", u.lane, c.type, u.is_given_out as "isGivenOut", g.supports ? 'seq' as "isNumbered",
    u.has_schedule as "hasSchedule", c.is_pump_off as "isPumpOff", u.at as since, coalesce(u.expires_at, c.expires_at) as "expiresAt",
    c.max_open_minutes as "maxOpenMinutes"
  from u join c on c.id = u.command_id join gateway_state g on g.farm_id = $1 and g.device_id = u.gateway_id
  where u.command_id = any($4::int[])
  group by u.command_id, u.gateway_id, u.lane, u.is_given_out, u.has_schedule, u.at, u.expires_at, g.supports,
    c.type, c.is_pump_off, c.expires_at, c.max_open_minutes`;

const withdrawText = `update gateway_state set withdraws_sets = true where farm_id = $1 and device_id = any($2)`;

/**
 * Ends what the new command puts out of date, in its own transaction: none of it is sent again. A stop ends every start of its
 * units, also one that a gateway has, and the stops of its kind before it; what lets a unit water again the Inhibit; a schedule
 * the schedule before it.
 */
export async function supersede(
  client: SqlClient,
  newcomer: Newcomer,
  units: readonly NewUnit[],
): Promise<Superseded> {
  const { farmId, at } = newcomer;
  const opens = opensValves(newcomer);
  const values = [farmId, numberArray(newcomer.deviceIds), newcomer.payload.relay ?? null];
  const { rows: candidates } = await client.query<Candidate>({ text: candidatesOf(opens), values });
  const found = candidates.filter((command) => mayEnd(newcomer, command));
  if (found.length === 0)
    return { changed: [], isStoppedAgain: false, againAt: new Map(), openUntil: new Map() };
  if (newcomer.lane === lanes.stop)
    await lockGateways(client, farmId, [...new Set(found.map(({ gatewayId }) => gatewayId))]);
  await lockCommands(client, found);
  const commandIds = numberArray([...new Set(found.map(({ commandId }) => commandId))]);
  const { rows } = await client.query<OldParts>({
    text: partsOf(opens),
    values: [...values, commandIds],
  });
  const ended: OldUnit[] = [];
  const changes: UnitChange[] = [];
  for (const unit of rows.flatMap(unitsOf)) {
    const why = noteFor(newcomer, unit);
    if (why === null) continue;
    const { commandId, deviceId } = unit;
    const note = unit.isGivenOut ? `${why} ${SENT_BEFORE}` : why;
    ended.push(unit);
    changes.push({ farmId, commandId, deviceId, state: 'cancelled', at, note });
  }
  await writeUnits(client, changes);
  const isStoppedAgain = await stopAsBefore(
    client,
    ended.filter(({ isGivenOut }) => !isGivenOut),
  );
  const changed = await writeCommandStates(client, ended, at);
  const lateStarts = newcomer.lane === lanes.stop ? ended.filter(lateStartsAfter(units)) : [];
  const gateways = lateStarts.filter(({ hasSchedule }) => hasSchedule).map(({ gatewayId }) => gatewayId);
  if (gateways.length > 0)
    await client.query({ text: withdrawText, values: [farmId, [...new Set(gateways)]] });
  return {
    changed,
    isStoppedAgain,
    againAt: latestByDevice(lateStarts, (unit) => onceMoreAt(unit, at)),
    openUntil: latestByDevice(ended.filter(mayOpen), mayOpenUntil),
  };
}

// Of thousands: a literal with a spread in it takes twenty times as long.
const unitsOf = ({ deviceIds, ...part }: OldParts): OldUnit[] =>
  deviceIds.map((deviceId) => Object.assign({ deviceId }, part));

/** Whether any of its units may end. */
const mayEnd = (newcomer: Newcomer, command: Candidate) =>
  noteOf(newcomer, command) !== null || (newcomer.lifts.size > 0 && isInhibit(command.type));

/** Why an older command of this unit ends; null: it goes on. */
const noteFor = (newcomer: Newcomer, old: OldUnit): string | null =>
  noteOf(newcomer, old) ??
  (newcomer.lifts.has(old.deviceId) && isInhibit(old.type)
    ? `Replaced by ${commandTitles[newcomer.name]}.`
    : null);

function noteOf(
  { name, lane, at }: Newcomer,
  old: Pick<OldUnit, 'lane' | 'type' | 'hasSchedule' | 'isPumpOff' | 'since'>,
): string | null {
  const title = commandTitles[name];
  const type = commandTypes[name];
  if (lane === lanes.stop && isStart(old)) return `Stopped meanwhile: ${title}.`;
  const isNewer =
    (lane === lanes.stop && old.lane === lanes.stop && isSameStop(type, old.type)) ||
    (isSchedule(type) && isSchedule(old.type));
  if (isNewer) return `Replaced by a newer ${title}.`;
  // It would come into this watering, as where its gateway was away.
  if (isValveOn(type) && old.isPumpOff) return `Not needed any more: ${title}.`;
  // A younger one is still waited for.
  if (isValveOn(type) && isValveOff(old.type) && at.getTime() - old.since.getTime() > STOP_WAITS_MS)
    return `Replaced by ${title}.`;
  return null;
}

const opensValves = ({ name }: Newcomer) => isValveOn(commandTypes[name]);

const isStart = ({ lane, hasSchedule }: Pick<OldUnit, 'lane' | 'hasSchedule'>) =>
  lane === lanes.start || hasSchedule;

/** An Off is none for an Inhibit, which holds until it is taken back; of relays the query finds the same one. */
const isSameStop = (type: number, old: number) =>
  type === old || (isValveOff(type) && isValveOff(old)) || (isInhibit(type) && isInhibit(old));

/** It may come after the stop: its gateway has it and doesn't tell older from newer, or the stop goes through another. */
function lateStartsAfter(units: readonly NewUnit[]): (old: OldUnit) => boolean {
  const gatewayOf = new Map(units.map(({ deviceId, gatewayId }) => [deviceId, gatewayId]));
  const dropsByNumber = ({ isNumbered, gatewayId, deviceId }: OldUnit) =>
    isNumbered && gatewayOf.get(deviceId) === gatewayId;
  return (old) => old.isGivenOut && !dropsByNumber(old) && isStart(old);
}

const onceMoreAt = ({ lane, expiresAt }: OldUnit, at: Date) =>
  lane === lanes.start ? new Date(expiresAt.getTime() + LAST_START_MS) : new Date(at.getTime() + SCHEDULE_MS);

const mayOpen = ({ isGivenOut, maxOpenMinutes }: OldUnit) => isGivenOut && maxOpenMinutes !== null;
const mayOpenUntil = ({ expiresAt, maxOpenMinutes }: OldUnit) =>
  new Date(expiresAt.getTime() + (maxOpenMinutes ?? 0) * MINUTE_MS);

function latestByDevice(units: readonly OldUnit[], timeOf: (unit: OldUnit) => Date): Map<number, Date> {
  const latest = new Map<number, Date>();
  for (const unit of units) {
    const [time, known] = [timeOf(unit), latest.get(unit.deviceId)];
    if (!known || known < time) latest.set(unit.deviceId, time);
  }
  return latest;
}
