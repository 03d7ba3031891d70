import { commandTypes } from '@headrace/contract/command-types';
import type { Db } from '../../db/client.ts';
import type { CommandProgress } from './command-writer.ts';
import { createCatchUps } from './catch-ups.ts';
import { createClears } from './clears.ts';
import { groupBy } from '../../group-by.ts';
import { isListDueAgain } from './list-again.ts';
import { createOwnCommandsRepo, type GatewayBehind } from './own-commands.repo.ts';
import { createQueueOwn, type OwnCommand, type QueueOne } from './queue-own.ts';

/** A list that people are still changing isn't sent with each change. */
const LIST_QUIET_MS = 60_000;
/** A unit that must not water is inhibited again after as long at the earliest. */
const STOP_AGAIN_MS = 10 * 60_000;
/** How often units that are marked, or hold what they shouldn't, are looked for among all. */
const LOOK_EVERY_MS = 30_000;

/**
 * What the server sends of its own accord, as commands like all others: the list of sprinklers a minute after its last
 * change, so that commands aren't blocked until somebody sends it; Reconfigure to a marked unit once it was heard; Inhibit to
 * one that must not water and holds a schedule all the same; the empty schedule to one that is spare, out of service or gone and
 * holds another; and the schedule that a send did not bring to its unit, once that is heard.
 * All servers do it: each looks again under the lock of the gateway. A list that a gateway lost or refused goes again.
 */
export function createOwnCommands(db: Db, now: () => Date) {
  const repo = createOwnCommandsRepo(db);
  const catchUps = createCatchUps(db, now);
  /** By gateway: the list that it doesn't hold, and since when (epoch ms) that one is the newest. */
  const behind = new Map<number, { rev: number; since: number }>();
  let lookedAt = -Infinity;

  const queueFor = createQueueOwn(db, now);
  const queue: QueueOne = (target, type, payload, isNeeded, more) =>
    queueFor([target], type, payload, async (trx) => ((await isNeeded(trx)) ? [target] : []), more);

  const clears = createClears(db, queue, now);

  async function lists(): Promise<OwnCommand[]> {
    const found = await repo.gatewaysBehind();
    const isBehind = new Set(found.map(({ gatewayId }) => gatewayId));
    for (const gatewayId of behind.keys()) if (!isBehind.has(gatewayId)) behind.delete(gatewayId);
    const sent: OwnCommand[] = [];
    for (const gateway of found) {
      if (!isListDue(gateway)) continue;
      const command = await queue(
        gateway,
        commandTypes.UpdateINCList,
        { listRev: gateway.listRev },
        async (trx) => (await repo.gatewaysBehind(trx, gateway)).some(isListDue),
      );
      if (command) sent.push(command);
    }
    return sent;
  }

  /** One that was never sent waits until people have stopped changing it; one that was, for the gateway. */
  function isListDue(gateway: GatewayBehind): boolean {
    const { gatewayId, listRev } = gateway;
    if (gateway.sendings.length > 0) return isListDueAgain(gateway, now().getTime());
    const known = behind.get(gatewayId);
    if (known?.rev === listRev) return now().getTime() - known.since >= LIST_QUIET_MS;
    behind.set(gatewayId, { rev: listRev, since: now().getTime() });
    return false;
  }

  /** A clock that was put back must not stop it. */
  function isTimeToLook(): boolean {
    if (Math.abs(now().getTime() - lookedAt) < LOOK_EVERY_MS) return false;
    lookedAt = now().getTime();
    return true;
  }

  async function reconfigures(): Promise<OwnCommand[]> {
    const sent: OwnCommand[] = [];
    for (const unit of await repo.unitsToReconfigure()) {
      const command = await queue(unit, commandTypes.IpcReconfigure, {}, (trx) =>
        repo.needsReconfigure(trx, unit),
      );
      if (command) sent.push(command);
    }
    return sent;
  }

  /** Whoever must not water and says that it holds a schedule is inhibited again. */
  async function inhibits(): Promise<OwnCommand[]> {
    const before = new Date(now().getTime() - STOP_AGAIN_MS);
    const sent: OwnCommand[] = [];
    for (const unit of await repo.unitsToStopAgain({ before })) {
      const command = await queue(
        unit,
        commandTypes.Inhibit,
        {},
        async (trx) => (await repo.unitsToStopAgain({ before, only: unit }, trx)).length > 0,
        { note: `Sent again: it is inhibited and holds a schedule (${unit.crc}).` },
      );
      if (command) sent.push(command);
    }
    return sent;
  }

  /** Whose Inhibit was taken back before it went out, though it must not water, is sent another at once. */
  async function stopUnstopped(): Promise<OwnCommand[]> {
    const sent: OwnCommand[] = [];
    for (const units of groupBy(await repo.unstopped(), ({ gatewayId }) => gatewayId)) {
      const [type, payload] =
        units.length === 1
          ? [commandTypes.Inhibit, {}]
          : [commandTypes.InhibitGroup, { groupUID: 'FARM', uids: units.map(({ uid }) => uid) }];
      const command = await queueFor(units, type, payload, (trx) => repo.unstopped(units, trx), {
        note: 'Sent by itself: it must not water, and the Inhibit that replaced the one before was taken back.',
      });
      if (command) sent.push(command);
    }
    return sent;
  }

  /** Among all units. */
  async function lookAround(): Promise<CommandProgress[]> {
    const over = await catchUps.endOver();
    const sent = [
      ...(await reconfigures()),
      ...(await clears.queueDue()),
      ...(await catchUps.queueDue(queueFor)),
    ];
    return [...over, ...sent.map(({ progress }) => progress)];
  }

  return {
    /** Inhibits who must not water and was sent no Inhibit that stands; returns the commands. */
    stopUnstopped: async () => (await stopUnstopped()).map(({ progress }) => progress),

    /** Queues what is due now; returns the commands that are new or stand otherwise. */
    async queueDue(): Promise<CommandProgress[]> {
      const sent = [...(await lists()), ...(await stopUnstopped()), ...(await inhibits())];
      return [...sent.map(({ progress }) => progress), ...(isTimeToLook() ? await lookAround() : [])];
    },
  };
}
export type OwnCommands = ReturnType<typeof createOwnCommands>;
