import { commandTypes } from '@headrace/contract/command-types';
import type { Db } from '../../db/client.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { endCatchUps, noteCatchUps } from '../programmes/catch-up-writer.ts';
import { type CatchUp, type CatchUpOver, createCatchUpsRepo, overNote } from './catch-ups.repo.ts';
import { type CommandProgress, lockCommands, writeSteps } from './command-writer.ts';
import { groupBy } from '../../group-by.ts';
import type { QueueOwn } from './queue-own.ts';

/**
 * Schedules that a send did not bring to their units go to them once they are heard. Those of a gateway that were heard meanwhile
 * go together, a command for each length of cycle.
 */
export function createCatchUps(db: Db, now: () => Date) {
  const repo = createCatchUpsRepo(db);

  /** Ends it where it is over, and says so in the log of the send; returns the sends. */
  function endOver(): Promise<CommandProgress[]> {
    return db.transaction().execute(async (trx) => {
      const over = await repo.over(now(), trx);
      if (over.length === 0) return [];
      const client = sqlClient(trx);
      const ofSends = over.filter(({ commandId }) => commandId !== 0);
      await lockCommands(client, ofSends);
      await endCatchUps(client, over);
      await writeSteps(client, ofSends.filter(({ why }) => why !== '').map(stepOf));
      return distinct(ofSends);
    });
  }

  const stepOf = ({ why, ...key }: CatchUpOver) => ({
    ...key,
    at: now(),
    state: 'cancelled',
    note: overNote(why),
  });

  async function queueDue(queue: QueueOwn) {
    const sent = [];
    const due = groupBy(await repo.due(now()), (unit) => `${unit.gatewayId}/${unit.cycleDays}`);
    for (const units of due) {
      const command = await queue(
        units,
        commandTypes.UpdateSchedule,
        { catchUp: true, cycleLen: units[0]?.cycleDays ?? 1 },
        async (trx) => {
          const still = await repo.due(now(), units, trx);
          if (still.length > 0) await noteCatchUps(sqlClient(trx), still, now());
          return still;
        },
        { note: noteOf(units), unitOf: ({ entries, crc }) => ({ entries, crc }) },
      );
      if (command) sent.push(command);
    }
    return sent;
  }

  return { endOver, queueDue };
}

const noteOf = (units: readonly CatchUp[]) =>
  units.every(({ isNewUnit }) => isNewUnit)
    ? 'Sent by itself: the schedule of a place that another unit has taken, or that is in service again.'
    : 'Sent by itself: heard again, and not reached when this was sent.';

/** Told anew: how many of them wait is different. */
function distinct(units: readonly CatchUpOver[]): CommandProgress[] {
  const sends = new Map(
    units.map(({ farmId, commandId }) => [`${farmId}/${commandId}`, { farmId, commandId }]),
  );
  return [...sends.values()].map((key) => ({ ...key, isFinished: false }));
}
