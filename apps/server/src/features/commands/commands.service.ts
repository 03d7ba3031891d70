import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CommandState,
  commandName,
  type CommandName,
  commandTypes,
} from '@headrace/contract/command-types';
import type {
  Command,
  CommandRequest,
  getCommand,
  listCommands,
  sendAgain,
  SendPlan,
  Unstopped,
} from '@headrace/contract/commands';
import type { BodyOf, QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { COMMAND_DETAILS } from '@headrace/contract/limits';
import type { CommandOfUnit } from '@headrace/contract/sprinkler-info';
import { commandLifetimeMs } from '@headrace/device/command-life';
import { isInhibit, isValveOn, laneOf, lanes } from '@headrace/device/lanes';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure, conflict, invalid, notFound } from '../../http/errors.ts';
import type { CommandProgress } from './command-writer.ts';
import { checkGoBack, goingBack } from './go-back.ts';
import { checkAgain, onlyNotDone } from './again.ts';
import { isAvailable, obstacle } from './availability.ts';
import { type Added, type CommandsRepo, NobodyLeft, type NewUnit } from './commands.repo.ts';
import type { Deliver } from './deliver.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import type { Span } from './device-commands.ts';
import type { FinishByGateway } from './finish.ts';
import { type Payload, readPayload } from './payloads.ts';
import { toCommand, toOfUnit, toUnit } from './present.ts';
import type { CommandRow } from './read-commands.ts';
import type { Intended, IntendedCommand } from './send-plan.ts';
import { findTargets, longestWatering, type Targets } from './targets.ts';
import type { TargetsRepo } from './targets.repo.ts';
import type { UnitFacts } from './unit-facts.ts';
import { isUninhibit, uninhibits } from './uninhibit.ts';
import { asksForUnstopped, unstoppedOf } from './unstopped.ts';

/** What stands between a hand and a relay that follows a tank. */
export interface RelayGuard {
  /** Throws conflict when a hand may not switch it now. */
  checkSwitch(
    gateway: GatewayKey,
    wanted: { relay: number; set: boolean },
    now: Date,
  ): Promise<{ isBound: boolean }>;
  /** A hand decides from now on. */
  override(gateway: GatewayKey, relay: number, by: { accountId: number; now: Date }): Promise<void>;
}

/** How long a Ping may take, ms. It lives longer: the gateway's clock may be ahead of ours. */
const PING_MS = 3000;
const PING_LIFETIME_MS = 60_000;
const PING_LOOK_MS = 50;

/** The specification's own texts for its two statuses. */
const obstacleTexts = {
  gatewayUnavailable: 'Gateway currently unavailable.',
  listNotLoaded: 'Commands blocked until sprinklers list is loaded.',
};

interface Sender {
  farm: FarmRow;
  /** Null: the server, of its own accord. */
  accountId: number | null;
  requestId: string | undefined;
  now: Date;
  /** Of an Inhibit that a hold begins with: what is kept of it. */
  hold?: KeepHold;
  /** It is a hold's end. */
  isRelease?: boolean;
}
/** Keeps a hold with the Inhibit that it begins with, in its transaction. */
export type KeepHold = (trx: Db, key: CommandKey, found: Targets) => Promise<void>;
export interface Sent {
  commandId: string;
  status: CommandState;
}
interface AddedCommand extends Added {
  uid: string;
}

export interface CommandsOptions {
  deliver: Deliver;
  /** In which order its units are reached, with those marked that are left out until they are heard. */
  inOrder: (intended: Intended, now: Date) => Promise<NewUnit[]>;
  firstFinish: (intended: Intended, now: Date) => Promise<FinishByGateway>;
  plan: (intended: IntendedCommand, now: Date) => Promise<SendPlan>;
  facts: (farmId: number, deviceIds: readonly number[]) => Promise<readonly UnitFacts[]>;
  relays: RelayGuard;
  /** Takes back what was not handed over; returns the commands that this changed. */
  cancelQueued: (command: { farmId: number; commandId: number }, at: Date) => Promise<Cancelled>;
  onChanged: (changed: readonly CommandProgress[]) => void;
  /** Who of its units is wanted to water nothing may be different from now on. */
  onStops: (command: CommandKey) => void;
}
export interface Cancelled {
  count: number;
  changed: readonly CommandProgress[];
}

export function createCommandsService(
  commands: CommandsRepo,
  targets: TargetsRepo,
  options: CommandsOptions,
) {
  async function send(farm: FarmRow, accountId: number, request: CommandRequest, now: Date): Promise<Sent> {
    const { requestId } = request;
    return sendOnce({ farm, accountId, requestId, now }, await intend(farm, request));
  }

  /** The same tap is one command, however often it comes. */
  async function sendOnce(tap: Sender, intended: IntendedCommand): Promise<Sent> {
    const { farm, accountId, now } = tap;
    const { name, found } = intended;
    const isStop = laneOf(commandTypes[name], intended.payload) === lanes.stop;
    const requestId = isStop ? undefined : tap.requestId;
    const earlier = async () => {
      const found =
        requestId && accountId !== null && (await commands.byRequest(farm.id, accountId, requestId));
      return found ? { commandId: found.uid, status: found.state } : null;
    };
    const known = await earlier();
    if (known) return known;
    const reason = obstacle(name, found.gateways, now);
    if (reason) throw new ApiFailure(reason, obstacleTexts[reason]);
    const by = { farm, accountId, requestId, now };
    try {
      return await sendNew(by, intended);
    } catch (error) {
      // The same tap came twice at once, and the other was quicker.
      const first = isSentAlready(error) ? await earlier() : null;
      if (!first) throw error;
      return first;
    }
  }

  async function sendNew(by: Sender, intended: IntendedCommand): Promise<Sent> {
    const { name, found } = intended;
    const { farm, now } = by;
    if (name === 'ToggleIO') return toggle(by, intended);
    if (isUninhibit(name)) return uninhibit(by, intended);
    const added = await add(by, intended);
    if (name === 'Ping') return ping({ farmId: farm.id, ...added }, found, now);
    return dispatch(farm.id, added, found);
  }

  /** Answers with the last of the commands that it takes, which has the sender's name for the tap. */
  async function uninhibit(by: Sender, intended: IntendedCommand): Promise<Sent> {
    const { farmId, found } = intended;
    const all = await uninhibitsOf(intended);
    for (const before of all.slice(0, -1))
      dispatch(farmId, await add({ ...by, requestId: undefined }, before), found);
    return dispatch(farmId, await add(by, all.at(-1) ?? intended), found);
  }

  async function uninhibitsOf(intended: IntendedCommand): Promise<readonly IntendedCommand[]> {
    const ids = intended.found.units.map(({ deviceId }) => deviceId);
    return uninhibits(intended, await targets.notHeld(intended.farmId, ids));
  }

  /** Whom it is for and how long it may live: all but sending it. */
  async function intend(farm: FarmRow, request: CommandRequest): Promise<IntendedCommand> {
    const name = commandName(request.type);
    if (!name) throw invalid('type: there is no such command.', 'type');
    const payload = readPayload(name, request.payload);
    const found = await findTargets(targets, {
      farmId: farm.id,
      name,
      mac: request.mac ?? '-',
      serialNumber: request.serialNumber ?? '-',
      payload,
    });
    return { farmId: farm.id, name, payload, found, lifeMs: lifeOf(name, payload, found) };
  }

  /** A relay that follows a tank is a hand's from now on, by our clock; since when isn't the caller's to say. */
  async function toggle(by: Sender, intended: IntendedCommand): Promise<Sent> {
    const { overriddenAt: _unheard, ...payload } = intended.payload;
    const { relay = 0, set = false } = payload;
    const { farm, accountId, now } = by;
    const key = { farmId: farm.id, gatewayId: intended.found.gateways[0]?.deviceId ?? 0 };
    const { isBound } = await options.relays.checkSwitch(key, { relay, set }, now);
    const sent = { ...payload, ...(isBound && { overriddenAt: now.toISOString() }) };
    const added = await add(by, { ...intended, payload: sent });
    if (isBound && accountId !== null) await options.relays.override(key, relay, { accountId, now });
    return dispatch(farm.id, added, intended.found);
  }

  function dispatch(farmId: number, { uid, changed }: AddedCommand, found: Targets): Sent {
    options.onChanged(changed);
    deliverTo(farmId, found);
    return { commandId: uid, status: 'queued' };
  }

  async function add(by: Sender, intended: IntendedCommand): Promise<AddedCommand> {
    const { farm, accountId, requestId, now, hold, isRelease = false } = by;
    const { name, found, lifeMs } = intended;
    const {
      hideNotification = false,
      resultMessage,
      maxOpenMinutes,
      beginWithinMinutes: _life,
      ...rest
    } = intended.payload;
    const type = commandTypes[name];
    const lane = laneOf(type, rest);
    const uid = newUid(now);
    const units = found.units.length > 1 ? await options.inOrder(intended, now) : found.units;
    const limit = isValveOn(type)
      ? (maxOpenMinutes ?? (await longestWatering(targets, farm.id, units)))
      : null;
    const isLong = lane === lanes.many && units.length > 1;
    const lifts = liftedBy(intended);
    const added = await commands.add(
      {
        farmId: farm.id,
        uid,
        accountId,
        type,
        name: found.name,
        serialNumber: found.serialNumber,
        payload: {
          ...(accountId === null && { automatic: true }),
          ...rest,
          ...(found.schedules && { cycleLen: found.schedules.cycleDays }),
        },
        maxOpenMinutes: limit,
        hideNotification: hideNotification || name === 'Ping' || accountId === null,
        resultMessage: resultMessage ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifeMs),
        requestId,
        note: intended.note,
        ...(isLong && { firstFinish: await options.firstFinish(intended, now) }),
      },
      units,
      {
        farmId: farm.id,
        name,
        lane,
        payload: rest,
        deviceIds: units.map(({ deviceId }) => deviceId),
        lifts,
        isHold: hold !== undefined,
        isRelease,
        at: now,
      },
      { schedules: found.schedules, within: hold && ((trx, key) => hold(trx, key, found)) },
    );
    // It may also have ended what was to let its units water.
    if (isInhibit(type) || lifts.size > 0 || added.changed.length > 1)
      options.onStops({ farmId: farm.id, commandId: added.id });
    return { ...added, uid };
  }

  function deliverTo(farmId: number, { gateways }: Pick<Targets, 'gateways'>): void {
    for (const { deviceId } of gateways) void options.deliver.run({ farmId, gatewayId: deviceId });
  }

  /** Answered by a gateway within three seconds, or there is none. */
  async function ping(
    command: { farmId: number; id: number; uid: string },
    found: Targets,
    now: Date,
  ): Promise<Sent> {
    const { farmId } = command;
    for (const gateway of found.gateways.filter((each) => isAvailable(each, now)))
      void options.deliver.run({ farmId, gatewayId: gateway.deviceId });
    for (let waited = 0; waited < PING_MS; waited += PING_LOOK_MS) {
      const row = await commands.byUid(farmId, command.uid);
      if (row?.counts.done) return { commandId: command.uid, status: 'done' };
      await sleep(PING_LOOK_MS);
    }
    throw new ApiFailure('gatewayUnavailable', obstacleTexts.gatewayUnavailable);
  }

  async function theCommand(farmId: number, uid: string): Promise<CommandRow> {
    const row = await commands.byUid(farmId, uid.toLowerCase());
    if (!row) throw notFound();
    return row;
  }

  /** Of Valves Off that some did not answer. */
  async function unstopped(farmId: number, row: CommandRow): Promise<Unstopped | null> {
    const failed = (row.counts.failed ?? 0) + (row.counts.expired ?? 0);
    if (!asksForUnstopped(row, failed)) return null;
    const { units } = await commands.notDone(farmId, row.id);
    return unstoppedOf(
      await options.facts(
        farmId,
        units.map(({ deviceId }) => deviceId),
      ),
    );
  }

  return {
    send,

    /** Keeps sprinklers from watering for a while: Inhibit, with what `keep` keeps of it. */
    async hold(
      farm: FarmRow,
      accountId: number,
      { payload, keep }: { payload: { groupUID: string; uids?: string[] }; keep: KeepHold },
      now: Date,
    ): Promise<Sent> {
      const intended = await intend(farm, { farmUID: farm.uid, type: commandTypes.InhibitGroup, payload });
      const reason = obstacle(intended.name, intended.found.gateways, now);
      if (reason) throw new ApiFailure(reason, obstacleTexts[reason]);
      const by = { farm, accountId, requestId: undefined, now, hold: keep };
      return dispatch(farm.id, await add(by, intended), intended.found);
    },

    /**
     * Lets sprinklers water again after a hold, until `until` at the latest; nobody's where a hold ends by itself. Null: none of them
     * is there and in service, or all must not water for another reason by now.
     */
    async release(
      farm: FarmRow,
      accountId: number | null,
      { uids, until, note }: { uids: string[]; until: Date; note: string },
      now: Date,
    ): Promise<Sent | null> {
      const payload = { groupUID: 'FARM', uids };
      const asked = { farmUID: farm.uid, type: commandTypes.UninhibitGroup, payload };
      const intended = await intend(farm, asked).catch((error: unknown) => {
        if (error instanceof ApiFailure) return null;
        throw error;
      });
      if (!intended) return null;
      const lifeMs = until.getTime() - now.getTime();
      const by = { farm, accountId, requestId: undefined, now, isRelease: true };
      let sent: Sent | null = null;
      for (const one of await uninhibitsOf({ ...intended, note, lifeMs })) {
        const added = await add(by, { ...one, lifeMs: Math.min(one.lifeMs, lifeMs) }).catch(nobodyIsNull);
        if (added) sent = dispatch(farm.id, added, intended.found);
      }
      return sent;
    },

    /** Once more, to those of its units that failed. */
    async again(
      farm: FarmRow,
      accountId: number,
      { commandId, type, requestId }: Omit<BodyOf<typeof sendAgain>, 'farmUID'>,
      now: Date,
    ): Promise<Sent> {
      const row = await theCommand(farm.id, commandId);
      if (row.type !== type) throw notFound();
      checkAgain(row, now);
      const failed = await commands.notDone(farm.id, row.id);
      const { maxOpenMinutes, serialNumber } = row;
      const payload = { ...failed.payload, ...(maxOpenMinutes !== null && { maxOpenMinutes }) };
      const whole = await intend(farm, { farmUID: farm.uid, type, serialNumber, payload });
      const ids = failed.units.map(({ deviceId }) => deviceId);
      const some = onlyNotDone(whole, failed, await targets.wantedOf(farm.id, ids));
      const lifeMs = lifeOf(some.name, some.payload, some.found);
      return sendOnce({ farm, accountId, requestId, now }, { ...some, lifeMs });
    },

    /** Of a send that was cancelled half-way: its units get what they had before. */
    async goBack(
      farm: FarmRow,
      accountId: number,
      { commandId, type, requestId }: Omit<BodyOf<typeof sendAgain>, 'farmUID'>,
      now: Date,
    ): Promise<Sent> {
      const row = await theCommand(farm.id, commandId);
      if (row.type !== type) throw notFound();
      checkGoBack(row);
      const known = requestId && (await commands.byRequest(farm.id, accountId, requestId));
      if (known) return { commandId: known.uid, status: known.state };
      const [sent, changed, { inService }, gateways, sets] = await Promise.all([
        commands.notDone(farm.id, row.id),
        commands.changedBy(farm.id, row.id),
        targets.unitsByService(farm.id, null),
        targets.gateways(farm.id),
        targets.sets(farm.id),
      ]);
      const setOf = (uid: string) => sets.find((set) => set.uid === uid);
      const all = goingBack(sent, changed, { farmId: farm.id, inService, gateways, setOf });
      const whole = all.map((each) => ({ ...each, lifeMs: lifeOf(each.name, each.payload, each.found) }));
      for (const before of whole.slice(0, -1))
        await sendOnce({ farm, accountId, requestId: undefined, now }, before);
      return sendOnce({ farm, accountId, requestId, now }, whole.at(-1) as IntendedCommand);
    },

    /** What sending it would do. */
    async plan(farm: FarmRow, request: CommandRequest, now: Date): Promise<SendPlan> {
      return options.plan(await intend(farm, request), now);
    },

    async list(
      farmId: number,
      { limit = 50, before, about }: Omit<QueryOf<typeof listCommands>, 'farmUID'>,
    ): Promise<ReplyOf<typeof listCommands>> {
      const rows = await commands.page(farmId, { limit: limit + 1, before: before?.toLowerCase(), about });
      return { commands: rows.slice(0, limit).map(toCommand), more: rows.length > limit };
    },

    /** Those under way for a device, the newest first. */
    async liveOf(farmId: number, deviceId: number, now: Date): Promise<CommandOfUnit[]> {
      return (await commands.liveOf(farmId, deviceId)).map((one) => toOfUnit(one, now));
    },

    /** Those that were sent to a device in a time, the newest first. */
    async lastOf(
      farmId: number,
      deviceId: number,
      { count, now, ...span }: Span & { count: number; now: Date },
    ): Promise<CommandOfUnit[]> {
      return (await commands.lastOf(farmId, deviceId, span, count)).map((one) => toOfUnit(one, now));
    },

    /** When other units took a device's place in a time, the newest first. */
    swapsOf: (farmId: number, deviceId: number, { count, ...span }: Span & { count: number }) =>
      commands.swapsOf(farmId, deviceId, span, count),

    async detail(
      farmId: number,
      { commandId, limit = COMMAND_DETAILS }: Omit<QueryOf<typeof getCommand>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof getCommand>> {
      const row = await theCommand(farmId, commandId);
      const [units, steps] = await Promise.all([
        commands.units(farmId, row.id, limit),
        commands.steps(farmId, row.id, limit),
      ]);
      return {
        command: toCommand(row),
        units: units.map((unit) => toUnit(unit, now)),
        unitStates: row.counts,
        steps: steps.map(({ at, state, name, note }) => ({ at: at.toISOString(), state, name, note })),
        stepCount: steps[0]?.count ?? 0,
        unstopped: await unstopped(farmId, row),
      };
    },

    async cancel(farmId: number, uid: string, type: number, now: Date): Promise<{ cancelled: number }> {
      const row = await theCommand(farmId, uid);
      if (row.type !== type) throw notFound();
      const { count, changed } = await options.cancelQueued({ farmId, commandId: row.id }, now);
      if (count === 0) throw conflict(tooLateText(toCommand(row)));
      options.onChanged(changed);
      options.onStops({ farmId, commandId: row.id });
      deliverTo(farmId, {
        gateways: (await targets.gateways(farmId)).filter(({ isOnline }) => isOnline),
      });
      return { cancelled: count };
    },
  };
}

function lifeOf(name: CommandName, payload: Payload, { units, gateways }: Targets): number {
  if (name === 'Ping') return PING_LIFETIME_MS;
  const type = commandTypes[name];
  return commandLifetimeMs(type, {
    lane: laneOf(type, payload),
    unitsToDo: units.length,
    maxTtls: gateways.map(({ maxTtl }) => maxTtl),
    beginWithinMin: payload.beginWithinMinutes,
  });
}

function nobodyIsNull(error: unknown): null {
  if (error instanceof NobodyLeft) return null;
  throw error;
}

/** Units that it lets water again, where they were inhibited. */
function liftedBy({ name, payload, found, letsAllWater = false }: IntendedCommand): ReadonlySet<number> {
  const isAll = letsAllWater || isUninhibit(name);
  const lifted = found.units.filter(
    ({ entries = [] }) => isAll || (payload.alsoInhibited && entries.length > 0),
  );
  return new Set(lifted.map(({ deviceId }) => deviceId));
}

/** One that waits and can't be cancelled is on its way: whether the gateway has it isn't known yet. */
function tooLateText({ state, title, message }: Command): string {
  const how = state === 'queued' ? `${title}: it is on its way to the gateway.` : message;
  return `Nothing is left to cancel: ${how}`;
}

export type CommandsService = ReturnType<typeof createCommandsService>;

/** PostgreSQL's unique_violation, of the sender's name for the tap. */
function isSentAlready(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'command_request';
}
