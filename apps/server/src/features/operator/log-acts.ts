import type { Db } from '../../db/client.ts';

interface ActsLog {
  info(details: object, message: string): void;
}

/**
 * One line for each command of the operator, on one of the servers, also for those that were given while none ran: what was done, by whom
 * on the machine, when, and whether it was. Not to whom: addresses and names of people are in no log.
 */
export async function logActs(db: Db, log: ActsLog, now: Date): Promise<void> {
  const acts = await db
    .updateTable('audit')
    .set({ logged_at: now })
    .where('logged_at', 'is', null)
    .returning(['id', 'at', 'operator', 'command', 'outcome'])
    .execute();
  for (const { id, at, operator, command, outcome } of acts.toSorted((a, b) => Number(a.id) - Number(b.id)))
    log.info({ act: id, at, operator, command, outcome: outcome.split(':', 1)[0] }, 'operator act');
}
