import { commandInfo } from '@headrace/device/commands';
import { gatewayDownTopic } from '@headrace/device/topics';
import type { MqttDoor } from '../../mqtt/door.ts';
import { liveStates } from './command-life.ts';
import type { CommandProgress } from './command-writer.ts';
import type { DeliverRepo, GatewayKey, LiveUnit, Receiver } from './deliver.repo.ts';
import {
  cmdIdOf,
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

/**
 * Sends gateways what waits for them, in order and one server at a time. A device has one command at a time: what is
 * for it waits until the command before has an end. Nothing is marked as sent before the broker took it, so that a
 * crash means sending again, which gateways recognise by the id.
 */
export function createDeliver(options: DeliverOptions) {
  const { repo, now } = options;
  /** Per gateway: the turn under way, and whether another is asked for. */
  const turns = new Map<number, { isAgain: boolean; isHello: boolean }>();

  /** `isHello`: the gateway has just come back, so what it had not answered is sent once more. */
  async function run(key: GatewayKey, isHello = false): Promise<void> {
    const turn = turns.get(key.gatewayId);
    if (turn) {
      turn.isAgain = true;
      turn.isHello ||= isHello;
      return;
    }
    const own = { isAgain: true, isHello };
    turns.set(key.gatewayId, own);
    try {
      while (own.isAgain) {
        const isAfterHello = own.isHello;
        own.isAgain = false;
        own.isHello = false;
        if (await repo.hasWork(key, isAfterHello ? liveStates : ['queued'])) await send(key, isAfterHello);
      }
    } catch (error) {
      options.log.warn({ err: error, ...key }, 'commands not sent yet');
    } finally {
      turns.delete(key.gatewayId);
    }
  }

  function send(key: GatewayKey, isHello: boolean): Promise<void> {
    return repo.alone(key, async () => {
      const gateway = await repo.receiver(key);
      // A hello is itself the proof that it is there; its `state` may come later through an outside broker.
      if (!gateway || !(gateway.isOnline || isHello)) return;
      const units = dueUnits(await repo.liveUnits(key), now(), isHello);
      for (const command of byCommand(units)) await sendCommand(gateway, command);
    });
  }

  async function sendCommand(gateway: Receiver, all: readonly LiveUnit[]): Promise<void> {
    const inStep = all.filter((unit) => unit.isInStep && unit.state === 'queued');
    if (inStep.length > 0) await move(inStep, { state: 'skipped', note: 'It held this schedule already.' });
    const units = all.filter((unit) => !inStep.includes(unit));
    const [first] = units;
    if (!first) return;
    const cmdId = await cmdIdFor(gateway, all, first);
    await repo.setCmdId(units, cmdId);
    for (const message of await messagesOf(gateway, first, units, cmdId)) {
      if (first.expiresAt <= now()) return;
      await publish(gateway, message);
    }
    await move(units, { state: 'sent', note: '' });
    if (units.some(({ state }) => state !== 'queued')) await repo.noteSentAgain(first, now());
  }

  /** A set keeps its number however often it is sent; a list is always the newest. */
  async function cmdIdFor(gateway: Receiver, all: readonly LiveUnit[], first: LiveUnit): Promise<string> {
    const topic = commandInfo(first.type)?.topic;
    const known = topic === 'ipc-list' ? undefined : all.find(({ cmdId }) => cmdId !== null)?.cmdId;
    const set = topic === 'schedules' && !known ? await repo.nextSetRev(gateway) : 0;
    return known ?? cmdIdOf(first, { list: gateway.listRev, set });
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
      default:
        return [commandMessage(command, named(units))];
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

  return { run };
}
export type Deliver = ReturnType<typeof createDeliver>;

/** What may go out now: the first command of each device, still in time; after a hello also what is unanswered. */
export function dueUnits(units: readonly LiveUnit[], now: Date, isHello: boolean): LiveUnit[] {
  const busy = new Map<number, number>();
  return units.filter((unit) => {
    const holder = busy.get(unit.deviceId) ?? unit.commandId;
    busy.set(unit.deviceId, holder);
    return holder === unit.commandId && unit.expiresAt > now && (isHello || unit.state === 'queued');
  });
}

function byCommand(units: readonly LiveUnit[]): LiveUnit[][] {
  const groups = new Map<number, LiveUnit[]>();
  for (const unit of units) {
    const group = groups.get(unit.commandId);
    if (group) group.push(unit);
    else groups.set(unit.commandId, [unit]);
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
