import type { Pool } from 'pg';
import { type CommandName, commandName, commandTitles, commandTypes } from '@headrace/contract/command-types';
import type { SendPlan } from '@headrace/contract/commands';
import { schedulesTypes } from '@headrace/contract/schedules-types';
import { SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import { finishOf, inTimeOf, type Pace } from '@headrace/contract/rules/radio-pace';
import { targetName } from '@headrace/contract/rules/target-name';
import { isValveOn, laneOf, lanes } from '@headrace/device/lanes';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { isAvailable } from './availability.ts';
import type { NewUnit } from './commands.repo.ts';
import { finishTimes, type FinishByGateway } from './finish.ts';
import { readPace } from './gateway-pace.ts';
import { gatewayFindings, goneFinding, inTimeFinding, polledFinding, unitFindings } from './send-findings.ts';
import { closesFindings } from './open-minutes.ts';
import { readPolled } from './joined-polls.ts';
import type { Payload } from './payloads.ts';
import { isPoll } from './polls.ts';
import type { Targets } from './targets.ts';
import type { TargetGateway } from './targets.repo.ts';
import { isUninhibit } from './uninhibit.ts';
import { unheardOf } from './unheard.ts';
import { type AheadRow, readAhead, readUnitFacts, type UnitFacts } from './unit-facts.ts';

const DAY_MS = 86_400_000;

/** What is about to be sent, to whom. */
export interface Intended {
  readonly farmId: number;
  readonly name: CommandName;
  readonly found: Targets;
  readonly lifeMs: number;
}

/** With what was said with it. */
export interface IntendedCommand extends Intended {
  readonly payload: Payload;
  /** All its units may water from now on, also those that are to hold nothing. */
  readonly letsAllWater?: boolean;
  /** What its log begins with. */
  readonly note?: string;
  /** Of an Inhibit: the send that let its units water. */
  readonly stopsAfter?: number;
  /** Of an Uninhibit: the Inhibit that it undoes. */
  readonly undoes?: number;
}

/** What is known of it before it is sent. */
interface Known {
  readonly facts: ReadonlyMap<number, UnitFacts>;
  readonly ahead: readonly AheadRow[];
  readonly paces: ReadonlyMap<number, Pace>;
  /** Of a poll of many: those of its units that are being polled already, with the command that asks them. */
  readonly polled: ReadonlyMap<number, number>;
}

/** What sending this would do. */
export async function planSend(pool: Pool, intended: IntendedCommand, now: Date): Promise<SendPlan> {
  const { farmId, name, found } = intended;
  const [facts, { ahead, paces }, polled] = await Promise.all([
    readUnitFacts(pool, farmId, found.units, now),
    readQueues(pool, intended),
    polledOf(pool, intended),
  ]);
  const known: Known = { facts, ahead, paces, polled };
  const inStep = new Set(found.units.filter((unit) => isInStep(unit, found, known)));
  const heldBack = found.units.filter((unit) => isHeldBack(name, unit, known));
  const leftOut = new Set(intended.payload.alsoInhibited ? [] : heldBack);
  const unheard = unheardOf(intended, known.facts, now);
  const wanting = found.units.filter((unit) => !inStep.has(unit) && !leftOut.has(unit));
  const toDo = wanting.filter(({ deviceId }) => !unheard.has(deviceId) && !polled.has(deviceId));
  const silent = toDo.filter((unit) => isSilent(known.facts.get(unit.deviceId), now));
  const waiting = wanting.filter(({ deviceId }) => unheard.has(deviceId));
  const notInSet = new Set(found.notInSet);
  const cleared = found.units.filter(({ deviceId }) => notInSet.has(deviceId));
  const namesOf = (units: readonly NewUnit[]) =>
    units.map(({ deviceId }) => known.facts.get(deviceId)?.name ?? '');
  const inTime = inTimeFor(intended, toDo, known);
  const finishes = finishFor(found, toDo, known, now);
  return {
    total: found.units.length,
    inStep: inStep.size,
    toDo: toDo.length,
    outOfContact: silent.length + waiting.length,
    inhibited: heldBack.length,
    notInSet: found.notInSet?.length ?? 0,
    inTime,
    finish: toDo.length + polled.size > 1 ? finishTimes(finishes) : null,
    gateways: found.gateways.map((gateway) => gatewayPlan(gateway, toDo, known, finishes, now)),
    ahead: known.ahead.map(aheadText),
    findings: [
      ...gatewayFindings(name, found.gateways, now),
      ...closesFindings(intended),
      ...unitFindings({
        heldBack: namesOf(heldBack),
        isHeldBackSent: leftOut.size === 0,
        silent: namesOf(silent),
        unheard: namesOf(waiting),
        cleared: namesOf(cleared),
        keeping: found.keeping ?? [],
        outOfService: found.outOfService ?? [],
        outOfServiceToo: found.outOfServiceToo ?? [],
        isUninhibit: isUninhibit(name),
      }),
      ...goneFinding(found.gone ?? 0),
      ...polledFinding(polled.size, found.units.length),
      ...inTimeFinding(inTime, toDo.length),
    ],
  };
}

/** When a send to many will be done, as it is first told. */
export async function firstFinish(pool: Pool, intended: Intended, now: Date): Promise<FinishByGateway> {
  const { found } = intended;
  const [queues, polled] = await Promise.all([readQueues(pool, intended), polledOf(pool, intended)]);
  const toDo = found.units.filter(({ deviceId }) => !polled.has(deviceId));
  return finishFor(found, toDo, { ...queues, polled }, now);
}

async function polledOf(pool: Pool, { farmId, name, found }: Intended): Promise<Known['polled']> {
  const type = commandTypes[name];
  if (!isPoll(type) || laneOf(type) !== lanes.many) return new Map();
  return readPolled(
    pool,
    farmId,
    found.units.map(({ deviceId }) => deviceId),
  );
}

/** What its gateways have to do before it, and how fast they are. */
async function readQueues(
  pool: Pool,
  { farmId, name, found }: Intended,
): Promise<Pick<Known, 'ahead' | 'paces'>> {
  const ids = found.gateways.map(({ deviceId }) => deviceId);
  const [ahead, paces] = await Promise.all([
    readAhead(pool, farmId, ids, isSchedule(name) ? found.units.map(({ deviceId }) => deviceId) : []),
    Promise.all(
      ids.map(async (gatewayId) => [gatewayId, await readPace(pool, { farmId, gatewayId })] as const),
    ),
  ]);
  return { ahead: ahead.filter(({ lane }) => isBefore(lane, name)), paces: new Map(paces) };
}

const isSchedule = (name: CommandName) => schedulesTypes.includes(commandTypes[name]);

const isBefore = (lane: number, name: CommandName) => lane <= laneOf(commandTypes[name]);

function isInStep({ deviceId, crc }: NewUnit, { schedules }: Targets, { facts }: Known): boolean {
  const known = facts.get(deviceId);
  const isSaid = crc !== undefined && crc !== inhibitedCrc && known?.reportedCrc === crc && known.saysWanted;
  return isSaid && known.cycleLen === schedules?.cycleDays;
}

/** As it is judged when it goes out. */
function isHeldBack(name: CommandName, { deviceId, entries }: NewUnit, { facts }: Known): boolean {
  const unit = facts.get(deviceId);
  if (entries?.length) return unit !== undefined && (unit.isStopped || unit.saysStopped);
  return isValveOn(commandTypes[name]) && unit?.isStopped === true;
}

/** Never heard, or not for long. */
export const isSilent = (facts: UnitFacts | undefined, now: Date) =>
  !facts?.heardAt || now.getTime() - facts.heardAt.getTime() > SPRINKLER_OUT_OF_CONTACT_DAYS * DAY_MS;

const unitsOf = (units: readonly NewUnit[], gatewayId: number) =>
  units.filter((unit) => unit.gatewayId === gatewayId && unit.deviceId !== gatewayId).length;

const aheadOf = (ahead: readonly AheadRow[], gatewayId: number) =>
  ahead.reduce((sum, row) => sum + (row.gatewayId === gatewayId ? row.units : 0), 0);

function finishFor(
  { gateways, units: all }: Targets,
  toDo: readonly NewUnit[],
  known: Omit<Known, 'facts'>,
  now: Date,
): FinishByGateway {
  return Object.fromEntries(
    gateways.flatMap(({ deviceId }) => {
      const own = unitsOf(toDo, deviceId);
      const units = own > 0 ? own + aheadOf(known.ahead, deviceId) : waitedFor(all, deviceId, known);
      const pace = known.paces.get(deviceId);
      return units > 0 && pace ? [[deviceId, finishOf(units, pace, now.getTime())] as const] : [];
    }),
  );
}

/** Units up to the last one that a poll which asks nobody through this gateway waits for. */
function waitedFor(
  units: readonly NewUnit[],
  gatewayId: number,
  { ahead, polled }: Pick<Known, 'ahead' | 'polled'>,
): number {
  const askers = units.flatMap((unit) =>
    unit.gatewayId === gatewayId ? (polled.get(unit.deviceId) ?? []) : [],
  );
  if (askers.length === 0) return 0;
  const last = Math.max(...askers);
  return aheadOf(
    ahead.filter(({ commandId }) => commandId <= last),
    gatewayId,
  );
}

function gatewayPlan(
  gateway: TargetGateway,
  toDo: readonly NewUnit[],
  { ahead, paces }: Known,
  finishes: FinishByGateway,
  now: Date,
): SendPlan['gateways'][number] {
  const { deviceId, name } = gateway;
  const finish = finishes[deviceId];
  return {
    name,
    isAvailable: isAvailable(gateway, now),
    toDo: unitsOf(toDo, deviceId),
    ahead: aheadOf(ahead, deviceId),
    secondsEach: Math.round((paces.get(deviceId)?.secondsEach ?? 0) * 10) / 10,
    finish: finish ? finishTimes({ [deviceId]: finish }) : null,
  };
}

/** Gateways work side by side, each through what is ahead of it. Null of what lets no water run. */
function inTimeFor(
  { name, found, lifeMs }: Intended,
  toDo: readonly NewUnit[],
  { ahead, paces }: Known,
): SendPlan['inTime'] {
  if (laneOf(commandTypes[name]) !== lanes.start || toDo.length < 2) return null;
  const minutes = Math.floor(lifeMs / 60_000);
  const count = found.gateways.reduce((sum, { deviceId }) => {
    const pace = paces.get(deviceId);
    return sum + (pace ? inTimeOf(unitsOf(toDo, deviceId), aheadOf(ahead, deviceId), pace, minutes) : 0);
  }, 0);
  return { count, minutes };
}

const aheadText = ({ type, name, units, ...by }: AheadRow) => {
  const known = commandName(type);
  return `${known ? commandTitles[known] : type}, ${targetName({ name })}${senderText(by)}: ${units} ${units === 1 ? 'sprinkler' : 'sprinklers'}`;
};

function senderText({ sentBy, isAutomatic }: Pick<AheadRow, 'sentBy' | 'isAutomatic'>): string {
  if (isAutomatic) return ', sent by itself';
  return sentBy && `, sent by ${sentBy}`;
}
