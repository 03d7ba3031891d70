import { commandTypes } from '@headrace/contract/command-types';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { endLeaving } from '../devices/leaving.ts';
import { groupBy } from '../../group-by.ts';
import { createLeaversRepo } from './leavers.repo.ts';
import { createOwnCommandsRepo } from './own-commands.repo.ts';
import type { OwnCommand, QueueOne } from './queue-own.ts';

/** A unit that holds a schedule after it was cleared is cleared again after as long at the earliest: trying costs its battery. */
const CLEAR_AGAIN_MS = 6 * 3_600_000;

/** The empty schedule, to whom nobody wants to water by the one that it holds. */
export function createClears(db: Db, queue: QueueOne, now: () => Date) {
  const repo = createOwnCommandsRepo(db);
  const leavers = createLeaversRepo(db);

  /** Whoever is spare or out of service and holds a schedule would water by it, wherever it is by now. */
  async function shelved(): Promise<OwnCommand[]> {
    const before = new Date(now().getTime() - CLEAR_AGAIN_MS);
    const sent: OwnCommand[] = [];
    for (const unit of await repo.unitsToClear({ before })) {
      const command = await queue(
        unit,
        commandTypes.UpdateSchedule,
        { cycleLen: 1 },
        async (trx) => (await repo.unitsToClear({ before, only: unit }, trx)).length > 0,
        {
          note: `Cleared: it is spare or out of service and holds a schedule (${unit.crc}).`,
          unitOf: () => ({ entries: [], crc: inhibitedCrc }),
        },
      );
      if (command) sent.push(command);
    }
    return sent;
  }

  /** Who left the farm with a schedule would water on by it, wherever it lies. */
  async function left(): Promise<OwnCommand[]> {
    for (const units of groupBy(await leavers.over(now()), ({ farmId }) => farmId))
      await db.transaction().execute((trx) => endLeaving(trx, units[0]?.farmId ?? 0, units));
    const asked = { now: now(), before: new Date(now().getTime() - CLEAR_AGAIN_MS) };
    const sent: OwnCommand[] = [];
    for (const unit of await leavers.due(asked)) {
      const command = await queue(
        unit,
        commandTypes.UpdateSchedule,
        { cycleLen: 1 },
        async (trx) => (await leavers.due({ ...asked, only: unit }, trx)).length > 0,
        {
          note: 'Cleared: it left the farm and may hold a schedule.',
          unitOf: () => ({ entries: [], crc: inhibitedCrc }),
        },
      );
      if (command) sent.push(command);
    }
    return sent;
  }

  return { queueDue: async () => [...(await shelved()), ...(await left())] };
}
