import { finishOf, type Pace, windowOf } from '@headrace/contract/rules/radio-pace';
import { lanes } from '@headrace/device/lanes';
import type { GatewayKey } from './answers.ts';
import { liveStates } from '../../db/under-way.ts';
import type { CommandProgress } from './command-writer.ts';
import type { DeliverRepo, Receiver } from './deliver.repo.ts';
import { withdrawal } from './down-messages.ts';
import { groupBy } from '../../group-by.ts';
import { CYCLE_ALONE_NOTE, isCycleAlone, isInStep } from './in-step.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import { createSendRound } from './send-round.ts';
import type { LiveUnit } from './waiting-units.ts';

export interface DeliverOptions extends PublisherOptions {
  repo: DeliverRepo;
  now: () => Date;
  onChanged: (changed: readonly CommandProgress[]) => void;
  log: { warn(details: object, message: string): void };
}

/** What one gateway is sent in its turn: stops, then the rest by lanes, then the next window of sends to many. */
export function createGatewayTurn(options: DeliverOptions) {
  const { repo, now } = options;
  const publish = createPublisher(options);
  const sendRound = createSendRound(options, publish);
  /** By gateway: the newest send to many of which those were left out that hold it. */
  const lookedAt = new Map<number, number>();

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
      await leaveOutWhoHoldsIt(gateway, pace);
      const next = await repo.nextOfMany(gateway, now(), Math.floor(room));
      if (next.length === 0) return;
      await noteFinishes(gateway, next, pace);
      let sent = 0;
      for (const command of byCommand(next)) sent += await sendCommand(gateway, command);
      // Those that held it already or must not water have made room for others.
      if (sent === next.length) return;
    }
  }

  /** All of a send before its first ones go, not only as their turns come: until then it would seem to go to more than its plan said. */
  async function leaveOutWhoHoldsIt(gateway: Receiver, pace: Pace): Promise<void> {
    const newest = await repo.newestOfMany(gateway);
    const before = lookedAt.get(gateway.gatewayId) ?? 0;
    if (newest <= before) return;
    const inStep = (await repo.sayTheyHoldIt(gateway, now(), before)).filter(isInStep);
    lookedAt.set(gateway.gatewayId, newest);
    if (inStep.length === 0) return;
    await end(inStep, IN_STEP);
    await noteFinishes(gateway, inStep, pace, new Date(now().getTime() - FIRST_MS));
  }

  /** Also of sends behind those whose turn it is: they wait for as much less, or more, as was thought. */
  async function noteFinishes(
    gateway: Receiver,
    next: readonly LiveUnit[],
    pace: Pace,
    firstSince?: Date,
  ): Promise<void> {
    const ids = [...new Set(next.map(({ commandId }) => commandId))];
    const upTo = await repo.unitsUpTo(gateway, ids);
    await repo.noteFinishes(
      gateway,
      upTo.map(({ commandId, units }) => ({ commandId, finish: finishOf(units, pace, now().getTime()) })),
      firstSince,
    );
  }

  /** Returns how many it sent: the others hold their schedule already, can't be told apart from it, or must not water. */
  async function sendCommand(gateway: Receiver, all: readonly LiveUnit[]): Promise<number> {
    const [inStep, asked] = parted(all, isInStep);
    if (inStep.length > 0) await end(inStep, IN_STEP);
    const [untold, units] = parted(
      asked,
      (unit) => isCycleAlone(unit) && !gateway.supports.includes('cycleLen'),
    );
    if (untold.length > 0) await end(untold, { state: 'failed', note: CYCLE_ALONE_NOTE });
    let heldBack = 0;
    for (const round of roundsOf(units)) heldBack += await sendRound(gateway, round);
    return units.length - heldBack;
  }

  async function end(
    units: readonly LiveUnit[],
    change: { state: 'skipped' | 'failed'; note: string },
  ): Promise<void> {
    options.onChanged(await repo.move(units, liveStates, { ...change, at: now() }));
  }

  return { send };
}

const IN_STEP = { state: 'skipped', note: 'It held this schedule already.' } as const;
/** Sent no longer ago, what was said of a send first is what is known now. */
const FIRST_MS = 60_000;

const isStop = ({ lane }: LiveUnit) => lane === lanes.stop;

const byCommand = (units: readonly LiveUnit[]) => groupBy(units, ({ commandId }) => commandId);

/** Units of one command by the id that they went out with, and by when it is over for them. */
const roundsOf = (units: readonly LiveUnit[]) =>
  groupBy(units, ({ cmdId, lane, expiresAt }) => cmdId ?? (lane === lanes.stop ? expiresAt.getTime() : null));

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
