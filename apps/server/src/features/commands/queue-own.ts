import type { CommandType } from '@headrace/contract/command-types';
import { commandLifetimeMs } from '@headrace/device/command-life';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { GatewayKey } from './answers.ts';
import type { CommandProgress } from './command-writer.ts';
import { insertCommand, type NewUnit } from './commands.repo.ts';
import { createOwnCommandsRepo, type OwnTarget } from './own-commands.repo.ts';

/** What was queued, and where it goes. */
export type OwnCommand = GatewayKey & { readonly progress: CommandProgress };

export interface OwnMore<Target> {
  /** What its log begins with. */
  readonly note?: string;
  /** What each is to get. */
  readonly unitOf?: (target: Target) => Partial<NewUnit>;
}

/** Queues commands of the server's own, which nobody sent. */
export function createQueueOwn(db: Db, now: () => Date) {
  const repo = createOwnCommandsRepo(db);

  /**
   * For those of these units of one gateway that still need it once nobody else queues for it. Null: none does any more, or another
   * server was quicker.
   */
  return function queueFor<Target extends OwnTarget>(
    targets: readonly Target[],
    type: CommandType,
    payload: object,
    stillOf: (trx: Db) => Promise<readonly Target[]>,
    { note, unitOf }: OwnMore<Target> = {},
  ): Promise<OwnCommand | null> {
    const at = now();
    return db.transaction().execute(async (trx) => {
      await repo.lock(trx, targets[0]?.gatewayId ?? 0);
      const still = await stillOf(trx);
      const [first] = still;
      if (!first) return null;
      const { farmId, gatewayId, maxTtl } = first;
      const isOne = still.length === 1;
      const lifeMs = commandLifetimeMs(type, { maxTtls: [maxTtl], unitsToDo: still.length });
      const command = {
        farmId,
        uid: newUid(at),
        accountId: null,
        type,
        name: isOne ? first.name : `${still.length} sprinklers`,
        serialNumber: isOne ? first.serialNumber : '-',
        payload: { automatic: true, ...payload },
        maxOpenMinutes: null,
        hideNotification: true,
        resultMessage: null,
        createdAt: at,
        expiresAt: new Date(at.getTime() + lifeMs),
        note,
      };
      const units = still.map((target) => ({ ...unitOf?.(target), deviceId: target.deviceId, gatewayId }));
      const commandId = await insertCommand(trx, command, units);
      return { farmId, gatewayId, progress: { farmId, commandId, isFinished: false } };
    });
  };
}
export type QueueOwn = ReturnType<typeof createQueueOwn>;

/** For one unit or gateway, where that still needs it. */
export type QueueOne = <Target extends OwnTarget>(
  target: Target,
  type: CommandType,
  payload: object,
  isNeeded: (trx: Db) => Promise<boolean>,
  more?: OwnMore<Target>,
) => Promise<OwnCommand | null>;
