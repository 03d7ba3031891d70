import { commandTypes } from '@headrace/contract/command-types';
import { commandInfo, listAckId } from '@headrace/device/commands';
import { gatewayDownTopic } from '@headrace/device/topics';
import type { MqttDoor } from '../../mqtt/door.ts';
import { atMost } from './at-most.ts';
import { liveStates } from './command-life.ts';
import type { CommandProgress } from './command-writer.ts';
import type { DeliverRepo, GatewayKey, LiveUnit, Receiver } from './deliver.repo.ts';
import {
  commandMessage,
  type DownMessage,
  listMessages,
  scheduleMessages,
  settingsMessage,
  timeMessage,
} from './down-messages.ts';

export interface DeliverOptions {
  repo: DeliverRepo;
  publish: MqttDoor['publish'];
  now: () => Date;
  onChanged: (changed: readonly CommandProgress[]) => void;
  log: { warn(details: object, message: string): void };
  /** A broker that takes longer is given up for this turn, ms. */
  publishWithinMs?: number;
}

interface Turn {
  isAgain: boolean;
  isHello: boolean;
}

/** Gateways that are sent to at the same time; each takes two connections to the database. */
const GATEWAYS_AT_ONCE = 4;

/**
 * Sends gateways what waits for them, in order and one server at a time. A device has one command at a time: what is
 * for it waits until the command before has an end. Nothing is marked as sent before the broker took it, so that a
 * crash means sending again, which gateways recognise by the id.
 */
export function createDeliver(options: DeliverOptions) {
  const { repo, now } = options;
  /** Per gateway: the turn under way, and what is asked for next. */
  const turns = new Map<number, Turn>();
  /** Gateways that came back and could not be sent to then. */
  const owed = new Map<number, GatewayKey>();
  const inTurn = atMost(GATEWAYS_AT_ONCE);
  const running = new Set<Promise<void>>();

  /** `isHello`: the gateway has just come back, so what it had not answered is sent once more. */
  function run(key: GatewayKey, isHello = false): Promise<void> {
    const work = takeTurn(key, isHello).finally(() => running.delete(work));
    running.add(work);
    return work;
  }

  async function takeTurn(key: GatewayKey, isHello: boolean): Promise<void> {
    const turn = turns.get(key.gatewayId);
    if (turn) {
      turn.isAgain = true;
      turn.isHello ||= isHello;
      return;
    }
    const own: Turn = { isAgain: true, isHello };
    turns.set(key.gatewayId, own);
    let isUnanswered = false;
    try {
      while (own.isAgain) {
        const isBack = own.isHello;
        isUnanswered = owed.delete(key.gatewayId) || isBack;
        own.isAgain = false;
        own.isHello = false;
        await inTurn(() => send(key, isBack, isUnanswered));
      }
    } catch (error) {
      if (isUnanswered || own.isHello) owed.set(key.gatewayId, key);
      options.log.warn({ err: error, ...key }, 'commands not sent yet');
    } finally {
      turns.delete(key.gatewayId);
    }
  }

  /** `isUnanswered`: also what it was sent and has not answered. */
  async function send(key: GatewayKey, isBack: boolean, isUnanswered: boolean): Promise<void> {
    if (!(await repo.hasWork(key, isUnanswered ? liveStates : ['queued']))) return;
    await repo.alone(key, async () => {
      const gateway = await repo.receiver(key);
      // A hello is itself the proof that it is there; its `state` may come later through an outside broker.
      if (!gateway || !(gateway.isOnline || isBack)) return;
      const units = dueUnits(await repo.liveUnits(key), now(), isUnanswered);
      for (const command of byCommand(units)) await sendCommand(gateway, command);
    });
  }

  async function sendCommand(gateway: Receiver, all: readonly LiveUnit[]): Promise<void> {
    const inStep = all.filter((unit) => unit.isInStep && unit.state === 'queued');
    if (inStep.length > 0) await move(inStep, { state: 'skipped', note: 'It held this schedule already.' });
    const units = all.filter((unit) => !inStep.includes(unit));
    for (const round of roundsOf(units)) await sendRound(gateway, round);
  }

  async function sendRound(gateway: Receiver, round: readonly LiveUnit[]): Promise<void> {
    const { cmdId, units } = await repo.claim(round, await cmdIdFor(gateway, round), gateway);
    const [first] = units;
    if (!first) return;
    for (const message of await messagesOf(gateway, first, units, cmdId)) {
      if (first.expiresAt <= now()) return;
      await publish(gateway, message);
    }
    await move(units, { state: 'sent', note: '' });
    if (units.some(({ state }) => state !== 'queued')) await repo.noteSentAgain(first, now());
  }

  /**
   * What the gateway will answer with. It stays however often it is sent; a list is always the newest. Units that had to
   * wait for an earlier command get an id of their own: a gateway does nothing for an id that it has seen. Null: the
   * number of a set of schedules, still to be drawn.
   */
  async function cmdIdFor(gateway: Receiver, [first]: readonly LiveUnit[]): Promise<string | null> {
    if (!first) return '';
    const topic = commandInfo(first.type)?.topic;
    if (topic === 'ipc-list') return listAckId(await repo.listRev(gateway));
    if (first.cmdId !== null) return first.cmdId;
    if (topic === 'schedules') return null;
    const ids = await repo.idsOf(gateway, first.commandId);
    return ids === 0 ? first.uid : `${first.uid}-${ids + 1}`;
  }

  async function messagesOf(
    gateway: Receiver,
    command: LiveUnit,
    units: readonly LiveUnit[],
    cmdId: string,
  ): Promise<DownMessage[]> {
    const topic = commandInfo(command.type)?.topic;
    switch (topic) {
      case 'schedules':
        return scheduleMessages(command, named(units), revOf(cmdId));
      case 'ipc-list':
        return listMessages(await repo.sprinklersList(gateway, revOf(cmdId)));
      case 'config':
        return [settingsMessage(command, gateway)];
      case 'time':
        return [timeMessage(gateway, now(), cmdId)];
      case 'cmd':
      case 'io-settings':
      case undefined:
        return [commandMessage(cmdId, command, named(units))];
      default:
        return topic satisfies never;
    }
  }

  async function publish(gateway: Receiver, { kind, body }: DownMessage): Promise<void> {
    const taken = options.publish(gatewayDownTopic(gateway.mac, kind), JSON.stringify(body));
    await within(taken, options.publishWithinMs ?? 10_000);
  }

  async function move(
    units: readonly LiveUnit[],
    change: { state: 'sent' | 'skipped'; note: string },
  ): Promise<void> {
    options.onChanged(await repo.move(units, ['queued'], { ...change, at: now() }));
  }

  return {
    run,
    /** When nothing is being sent any more. */
    async done(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
    /** Gateways whose return could not be answered; `run` makes up for it. */
    owed: (): GatewayKey[] => [...owed.values()],
  };
}
export type Deliver = ReturnType<typeof createDeliver>;

/**
 * What may go out now: the first command of each device, still in time; after a hello also what is unanswered. A Ping asks
 * whether the gateway is there: it waits for nothing, holds nothing up and isn't asked twice.
 */
export function dueUnits(units: readonly LiveUnit[], now: Date, isUnanswered: boolean): LiveUnit[] {
  const busy = new Map<number, number>();
  return units.filter((unit) => {
    if (unit.type === commandTypes.Ping) return unit.expiresAt > now && unit.state === 'queued';
    const holder = busy.get(unit.deviceId) ?? unit.commandId;
    busy.set(unit.deviceId, holder);
    return holder === unit.commandId && unit.expiresAt > now && (isUnanswered || unit.state === 'queued');
  });
}

const byCommand = (units: readonly LiveUnit[]) => groupBy(units, ({ commandId }) => commandId);

/** Units of one command by the id that they went out with. */
const roundsOf = (units: readonly LiveUnit[]) => groupBy(units, ({ cmdId }) => cmdId);

function groupBy(
  units: readonly LiveUnit[],
  keyOf: (unit: LiveUnit) => number | string | null,
): LiveUnit[][] {
  const groups = new Map<number | string | null, LiveUnit[]>();
  for (const unit of units) {
    const group = groups.get(keyOf(unit));
    if (group) group.push(unit);
    else groups.set(keyOf(unit), [unit]);
  }
  return [...groups.values()];
}

const named = (units: readonly LiveUnit[]) =>
  units.map(({ mac, unitName: name, entries, crc }) => ({ mac, name, entries, crc }));

/** 7 of `set-7` or `list-7`. */
const revOf = (cmdId: string) => Number(/\d+$/.exec(cmdId)?.[0] ?? 0);

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the broker did not take the message in time')), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Taken after all, or refused later: both show in the gateway's answer or its next hello.
    work.catch(() => {});
  }
}
