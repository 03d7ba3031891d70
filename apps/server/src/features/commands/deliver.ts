import { finishOf, type Pace, windowOf } from '@headrace/contract/rules/radio-pace';
import { windowLifetimeMs } from '@headrace/device/command-life';
import { commandInfo, listAckId } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import { gatewayDownTopic } from '@headrace/device/topics';
import type { MqttTransport } from '../../mqtt/transport.ts';
import { atMost } from '../../at-most.ts';
import { groupBy } from './group-by.ts';
import { liveStates } from './command-life.ts';
import type { CommandProgress } from './command-writer.ts';
import type { GatewayKey } from './answers.ts';
import type { Claim, MessageId } from './claim.ts';
import type { DeliverRepo, Receiver } from './deliver.repo.ts';
import { CYCLE_ALONE_NOTE, isCycleAlone, isInStep } from './in-step.ts';
import type { LiveUnit } from './waiting-units.ts';
import {
  commandMessage,
  type DownMessage,
  listMessages,
  scheduleMessages,
  settingsMessage,
  timeMessage,
  withdrawal,
} from './down-messages.ts';

export interface DeliverOptions {
  repo: DeliverRepo;
  publish: MqttTransport['publish'];
  now: () => Date;
  onChanged: (changed: readonly CommandProgress[]) => void;
  log: { warn(details: object, message: string): void };
  /** A broker that takes longer is given up for this turn, ms. */
  publishWithinMs?: number;
}

interface Turn {
  isAgain: boolean;
  isHello: boolean;
  /** When it is over, with all that was asked for meanwhile. */
  over: Promise<void>;
}

/** Gateways that are sent to at the same time; each takes two connections to the database. */
const GATEWAYS_AT_ONCE = 4;

/**
 * Sends gateways what waits for them, by lanes and one server at a time: what stops water first, sends to many units last and
 * a window at a time, so that what comes later need not wait for all of them. Nothing is marked as sent before the broker took
 * it, so that a crash means sending again, which gateways recognise by the id.
 */
export function createDeliver(options: DeliverOptions) {
  const { repo, now } = options;
  /** Per gateway: the turn under way, and what is asked for next. */
  const turns = new Map<number, Turn>();
  /** Gateways that came back and could not be sent to then. */
  const owed = new Map<number, GatewayKey>();
  const inTurn = atMost(GATEWAYS_AT_ONCE);
  const running = new Set<Promise<void>>();

  /**
   * `isHello`: the gateway has just come back, so what it had not answered is sent once more. Resolves when that is sent, also
   * where a turn under way takes it over.
   */
  function run(key: GatewayKey, isHello = false): Promise<void> {
    const underWay = turns.get(key.gatewayId);
    if (underWay) {
      underWay.isAgain = true;
      underWay.isHello ||= isHello;
      return underWay.over;
    }
    const turn: Turn = { isAgain: true, isHello, over: Promise.resolve() };
    turns.set(key.gatewayId, turn);
    turn.over = takeTurn(key, turn).finally(() => running.delete(turn.over));
    running.add(turn.over);
    return turn.over;
  }

  async function takeTurn(key: GatewayKey, turn: Turn): Promise<void> {
    let isUnanswered = false;
    try {
      while (turn.isAgain) {
        const isBack = turn.isHello;
        isUnanswered = owed.delete(key.gatewayId) || isBack;
        turn.isAgain = false;
        turn.isHello = false;
        await inTurn(() => send(key, isBack, isUnanswered));
      }
    } catch (error) {
      if (isUnanswered || turn.isHello) owed.set(key.gatewayId, key);
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
      const waiting = [
        ...(isUnanswered ? await repo.unanswered(key, now()) : []),
        ...(await repo.due(key, now())),
      ].toSorted((a, b) => a.lane - b.lane);
      const [stops, others] = [waiting.filter(isStop), waiting.filter((unit) => !isStop(unit))];
      await sendAll(gateway, stops);
      if (gateway.withdrawsSets) await withdrawSets(gateway);
      await sendAll(gateway, others);
      await fillWindow(gateway);
    });
  }

  async function sendAll(gateway: Receiver, units: readonly LiveUnit[]): Promise<void> {
    for (const command of byCommand(units)) await sendCommand(gateway, command);
  }

  /** What the gateway holds of schedules that a stop has taken back: it is told by a set without units. */
  async function withdrawSets(gateway: Receiver): Promise<void> {
    const { rev, seq, changed } = await repo.takeSetsBack(gateway, now());
    await publish(gateway, withdrawal(rev, { seq, within: null }));
    await repo.setsWithdrawn(gateway);
    options.onChanged(changed);
  }

  /** The next units of sends to many, once half of what the gateway is given at a time is done. */
  async function fillWindow(gateway: Receiver): Promise<void> {
    const pace = await repo.pace(gateway);
    const size = windowOf(pace);
    for (;;) {
      const room = size - (await repo.windowSize(gateway));
      if (room < size / 2) return;
      const next = await repo.nextOfMany(gateway, now(), Math.floor(room));
      if (next.length === 0) return;
      let sent = 0;
      for (const command of byCommand(next)) {
        await noteFinish(gateway, command, pace);
        sent += await sendCommand(gateway, command);
      }
      // Those that held it already or must not water have made room for others.
      if (sent === next.length) return;
    }
  }

  async function noteFinish(gateway: Receiver, [first]: readonly LiveUnit[], pace: Pace): Promise<void> {
    if (!first) return;
    const units = await repo.unitsUpTo(gateway, first.commandId);
    await repo.noteFinish(first, { [gateway.gatewayId]: finishOf(units, pace, now().getTime()) });
  }

  /** Returns how many it sent: the others hold their schedule already, can't be told apart from it, or must not water. */
  async function sendCommand(gateway: Receiver, all: readonly LiveUnit[]): Promise<number> {
    const [inStep, asked] = parted(all, isInStep);
    if (inStep.length > 0) await end(inStep, { state: 'skipped', note: 'It held this schedule already.' });
    const [untold, units] = parted(
      asked,
      (unit) => isCycleAlone(unit) && !gateway.supports.includes('cycleLen'),
    );
    if (untold.length > 0) await end(untold, { state: 'failed', note: CYCLE_ALONE_NOTE });
    let heldBack = 0;
    for (const round of roundsOf(units)) heldBack += await sendRound(gateway, round);
    return units.length - heldBack;
  }

  /** Returns how many must not get it. */
  async function sendRound(gateway: Receiver, round: readonly LiveUnit[]): Promise<number> {
    const [one] = round;
    if (!one) return 0;
    const isWindow = one.lane === lanes.many;
    const until = isWindow ? new Date(now().getTime() + windowLifetimeMs(round.length)) : null;
    const claim = await repo.claim(round, gateway, { id: await idFor(gateway, one), until, now: now() });
    const { units, heldBack } = claim;
    options.onChanged(heldBack.changed);
    const [first] = units;
    if (!first) return heldBack.count;
    for (const message of await messagesOf(gateway, first, claim)) {
      if (first.expiresAt <= now()) return heldBack.count;
      await publish(gateway, message);
    }
    await markSent(claim);
    if (units.some(({ state }) => state !== 'queued')) await repo.noteSentAgain(first, now());
    return heldBack.count;
  }

  /** It stays however often it is sent; a list is always the newest. */
  async function idFor(gateway: Receiver, { type, cmdId, uid }: LiveUnit): Promise<MessageId> {
    const topic = commandInfo(type)?.topic;
    if (topic === 'ipc-list') return { is: listAckId(await repo.listRev(gateway)) };
    if (cmdId !== null) return { is: cmdId };
    return topic === 'schedules' ? { ofSet: true } : { uid };
  }

  async function messagesOf(gateway: Receiver, command: LiveUnit, claim: Claim): Promise<DownMessage[]> {
    const { cmdId, units } = claim;
    const topic = commandInfo(command.type)?.topic;
    switch (topic) {
      case 'schedules':
        return scheduleMessages(command, named(units), revOf(cmdId), claim);
      case 'ipc-list':
        return listMessages(await repo.sprinklersList(gateway, revOf(cmdId)));
      case 'config':
        return [settingsMessage(command, gateway)];
      case 'time':
        return [timeMessage(gateway, now(), cmdId)];
      case 'cmd':
      case 'io-settings':
      case undefined:
        return [commandMessage(cmdId, command, named(units), claim)];
      default:
        return topic satisfies never;
    }
  }

  async function publish(gateway: Receiver, { kind, body }: DownMessage): Promise<void> {
    const taken = options.publish(gatewayDownTopic(gateway.mac, kind), JSON.stringify(body));
    await within(taken, options.publishWithinMs ?? 10_000);
  }

  async function end(
    units: readonly LiveUnit[],
    change: { state: 'skipped' | 'failed'; note: string },
  ): Promise<void> {
    options.onChanged(await repo.move(units, ['queued', 'sent', 'accepted'], { ...change, at: now() }));
  }

  async function markSent({ units, cmdId }: Claim): Promise<void> {
    options.onChanged(await repo.move(units, ['queued'], { state: 'sent', note: '', at: now(), cmdId }));
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

const isStop = ({ lane }: LiveUnit) => lane === lanes.stop;

const byCommand = (units: readonly LiveUnit[]) => groupBy(units, ({ commandId }) => commandId);

/** Units of one command by the id that they went out with, and by when it is over for them. */
const roundsOf = (units: readonly LiveUnit[]) =>
  groupBy(units, ({ cmdId, lane, expiresAt }) => cmdId ?? (lane === lanes.stop ? expiresAt.getTime() : null));

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
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
