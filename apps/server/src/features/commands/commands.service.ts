import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CommandState,
  commandName,
  type CommandName,
  commandTypes,
} from '@headrace/contract/command-types';
import type { Command, CommandRequest, getCommand } from '@headrace/contract/commands';
import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { COMMAND_DETAILS } from '@headrace/contract/limits';
import { commandLifetimeMs } from '@headrace/device/commands';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure, conflict, invalid, notFound } from '../../http/errors.ts';
import type { CommandProgress } from './command-writer.ts';
import { isAvailable, obstacle } from './availability.ts';
import type { CommandRow, CommandsRepo } from './commands.repo.ts';
import type { Deliver } from './deliver.ts';
import type { GatewayKey } from './deliver.repo.ts';
import { type Payload, readPayload } from './payloads.ts';
import { toCommand, toUnit } from './present.ts';
import { findTargets, longestWatering, type Targets } from './targets.ts';
import type { TargetsRepo } from './targets.repo.ts';

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
const OPENING: ReadonlySet<CommandName> = new Set(['ValveOn', 'TurnGroupValvesOn']);

/** The specification's own texts for its two statuses. */
const obstacleTexts = {
  gatewayUnavailable: 'Gateway currently unavailable.',
  listNotLoaded: 'Commands blocked until sprinklers list is loaded.',
};

export interface CommandsOptions {
  deliver: Deliver;
  relays: RelayGuard;
  /** Takes back what was not handed over; returns the commands that this changed. */
  cancelQueued: (command: { farmId: number; commandId: number }, at: Date) => Promise<Cancelled>;
  onChanged: (changed: readonly CommandProgress[]) => void;
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
  async function send(
    farm: FarmRow,
    accountId: number,
    request: CommandRequest,
    now: Date,
  ): Promise<{ commandId: string; status: CommandState }> {
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
    const reason = obstacle(name, found.gateways, now);
    if (reason) throw new ApiFailure(reason, obstacleTexts[reason]);
    const uid = newUid(now);
    if (name === 'ToggleIO') return toggle(farm, accountId, uid, payload, found, now);
    const id = await add(farm, accountId, name, uid, payload, found, now);
    if (name === 'Ping') return ping({ farmId: farm.id, id, uid }, found, now);
    options.onChanged([{ farmId: farm.id, commandId: id, isFinished: false }]);
    deliverTo(farm.id, found);
    return { commandId: uid, status: 'queued' };
  }

  /** A relay that follows a tank is a hand's from now on, by our clock; since when isn't the caller's to say. */
  async function toggle(
    farm: FarmRow,
    accountId: number,
    uid: string,
    { overriddenAt: _unheard, ...payload }: Payload,
    found: Targets,
    now: Date,
  ): Promise<{ commandId: string; status: CommandState }> {
    const { relay = 0, set = false } = payload;
    const key = { farmId: farm.id, gatewayId: found.gateways[0]?.deviceId ?? 0 };
    const { isBound } = await options.relays.checkSwitch(key, { relay, set }, now);
    const sent = { ...payload, ...(isBound && { overriddenAt: now.toISOString() }) };
    const id = await add(farm, accountId, 'ToggleIO', uid, sent, found, now);
    if (isBound) await options.relays.override(key, relay, { accountId, now });
    options.onChanged([{ farmId: farm.id, commandId: id, isFinished: false }]);
    deliverTo(farm.id, found);
    return { commandId: uid, status: 'queued' };
  }

  async function add(
    farm: FarmRow,
    accountId: number,
    name: CommandName,
    uid: string,
    payload: Payload,
    found: Targets,
    now: Date,
  ): Promise<number> {
    const { hideNotification = false, resultMessage, maxOpenMinutes, ...rest } = payload;
    const type = commandTypes[name];
    const maxTtls = found.gateways.map(({ maxTtl }) => maxTtl);
    const lifetime =
      name === 'Ping'
        ? PING_LIFETIME_MS
        : commandLifetimeMs(type, { unitsToDo: found.units.length, maxTtls });
    const limit = OPENING.has(name)
      ? (maxOpenMinutes ?? (await longestWatering(targets, farm.id, farm.current_set_id, found.units)))
      : null;
    return commands.add(
      {
        farmId: farm.id,
        uid,
        accountId,
        type,
        name: found.name,
        serialNumber: found.serialNumber,
        payload: rest,
        maxOpenMinutes: limit,
        hideNotification: hideNotification || name === 'Ping',
        resultMessage: resultMessage ?? null,
        createdAt: now,
        expiresAt: new Date(now.getTime() + lifetime),
      },
      found.units,
      found.currentSetId,
    );
  }

  function deliverTo(farmId: number, { gateways }: Pick<Targets, 'gateways'>): void {
    for (const { deviceId } of gateways) void options.deliver.run({ farmId, gatewayId: deviceId });
  }

  /** Answered by a gateway within three seconds, or there is none. */
  async function ping(
    command: { farmId: number; id: number; uid: string },
    found: Targets,
    now: Date,
  ): Promise<{ commandId: string; status: CommandState }> {
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

  return {
    send,

    async list(
      farmId: number,
      { limit = 50, before }: { limit?: number | undefined; before?: string | undefined },
    ): Promise<{ commands: Command[]; more: boolean }> {
      const rows = await commands.page(farmId, limit + 1, before?.toLowerCase());
      return { commands: rows.slice(0, limit).map(toCommand), more: rows.length > limit };
    },

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
      };
    },

    async cancel(farmId: number, uid: string, type: number, now: Date): Promise<{ cancelled: number }> {
      const row = await theCommand(farmId, uid);
      if (row.type !== type) throw notFound();
      const { count, changed } = await options.cancelQueued({ farmId, commandId: row.id }, now);
      if (count === 0) throw conflict(tooLateText(toCommand(row)));
      options.onChanged(changed);
      deliverTo(farmId, {
        gateways: (await targets.gateways(farmId)).filter(({ isOnline }) => isOnline),
      });
      return { cancelled: count };
    },
  };
}
/** One that waits and can't be cancelled is on its way: whether the gateway has it isn't known yet. */
function tooLateText({ state, title, message }: Command): string {
  const how = state === 'queued' ? `${title}: it is on its way to the gateway.` : message;
  return `Nothing is left to cancel: ${how}`;
}

export type CommandsService = ReturnType<typeof createCommandsService>;
