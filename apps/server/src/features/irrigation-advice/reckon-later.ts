import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Background } from '../../jobs/background.ts';
import { tellServers } from '../../live/database-news.ts';
import type { DayNotes } from './day-notes.ts';

/**
 * Reckons what was given on the days that a balance needs now: of one farm after the other, since a large one's are read for long, and
 * once for all that is saved while it waits. Open pages hear when it is done; where it fails, the hourly job does it.
 */
export function createReckonLater(db: Db, notes: Pick<DayNotes, 'catchUp'>, background: Background) {
  const waiting = new Set<number>();
  let last: Promise<unknown> = Promise.resolve();
  return (farm: FarmRow, now: Date): void => {
    if (waiting.has(farm.id)) return;
    waiting.add(farm.id);
    const turn = last.then(async () => {
      waiting.delete(farm.id);
      await notes.catchUp(farm, now);
      return tellServers(db, { kind: 'records-changed', farmId: farm.id, record: 'group', page: undefined });
    });
    last = turn.catch(() => {});
    background.run('reckoning what was given', () => turn);
  };
}
