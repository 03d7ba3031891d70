import { setTimeout as sleep } from 'node:timers/promises';
import { commandName, commandTypes, type CommandName } from '@headrace/contract/command-types';
import type { CommandRequest } from '@headrace/contract/commands';
import { commandLifetimeMs } from '@headrace/device/command-life';
import { isValveOn, laneOf, lanes } from '@headrace/device/lanes';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure, invalid } from '../../http/errors.ts';
import { createAddCommand } from './add-command.ts';
import { checkOpenMinutes } from './open-minutes.ts';
import { isAvailable, obstacle } from './availability.ts';
import type { AddedCommand, CommandsOptions, Sender, Sent } from './commands-options.ts';
import type { CommandsRepo } from './commands.repo.ts';
import { type Payload, readPayload } from './payloads.ts';
import type { IntendedCommand } from './send-plan.ts';
import { nobodyIsNull, NobodyLeft } from './released.ts';
import { findTargets, type Targets } from './targets.ts';
import type { TargetsRepo } from './targets.repo.ts';
import { isUninhibit, uninhibits } from './uninhibit.ts';

/** How long a Ping may take, ms. It lives longer: the gateway's clock may be ahead of ours. */
const PING_MS = 3000;
const PING_LIFETIME_MS = 60_000;
const PING_LOOK_MS = 50;

/** The specification's own texts for its two statuses. */
const obstacleTexts = {
  gatewayUnavailable: 'Gateway currently unavailable.',
  listNotLoaded: 'Commands blocked until sprinklers list is loaded.',
};

/** What was asked for becomes a command: whom it is for, whether it may go, and its way out. */
export function createSending(commands: CommandsRepo, targets: TargetsRepo, options: CommandsOptions) {
  const add = createAddCommand(commands, targets, options);

  /** The same tap is one command, however often it comes. */
  async function sendOnce(tap: Sender, intended: IntendedCommand): Promise<Sent> {
    const { farm, accountId, now } = tap;
    const { name } = intended;
    const isStop = laneOf(commandTypes[name], intended.payload) === lanes.stop;
    const requestId = isStop ? undefined : tap.requestId;
    const earlier = async () => {
      const found =
        requestId && accountId !== null && (await commands.byRequest(farm.id, accountId, requestId));
      return found ? { commandId: found.uid, status: found.state } : null;
    };
    const known = await earlier();
    if (known) return known;
    checkGateways(intended, now);
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

  /** Answers with the last of the commands that it takes, which has the sender's name for the tap. Throws NobodyLeft. */
  async function uninhibit(by: Sender, intended: IntendedCommand): Promise<Sent> {
    const { farmId, found } = intended;
    const all = await uninhibitsOf(intended);
    let sent: Sent | null = null;
    for (const [index, one] of all.entries()) {
      const isLast = index === all.length - 1;
      const added = await add(isLast ? by : { ...by, requestId: undefined }, one).catch(nobodyIsNull);
      if (added) sent = dispatch(farmId, added, found);
    }
    if (!sent) throw new NobodyLeft();
    return sent;
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
    if (isValveOn(request.type)) checkOpenMinutes(payload, found.gateways);
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

  return { add, checkGateways, deliverTo, dispatch, intend, sendNew, sendOnce, uninhibitsOf };
}
export type Sending = ReturnType<typeof createSending>;

/** Throws 505 or 466 where no gateway would take it now. */
function checkGateways({ name, found }: IntendedCommand, now: Date): void {
  const reason = obstacle(name, found.gateways, now);
  if (reason) throw new ApiFailure(reason, obstacleTexts[reason]);
}

export function lifeOf(name: CommandName, payload: Payload, { units, gateways }: Targets): number {
  if (name === 'Ping') return PING_LIFETIME_MS;
  const type = commandTypes[name];
  return commandLifetimeMs(type, {
    lane: laneOf(type, payload),
    unitsToDo: units.length,
    maxTtls: gateways.map(({ maxTtl }) => maxTtl),
    beginWithinMin: payload.beginWithinMinutes,
  });
}

/** PostgreSQL's unique_violation, of the sender's name for the tap. */
function isSentAlready(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'command_request';
}
