import { USAGE_NOTICE_PERCENT, type UsageLimits } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Messages, Note } from '../messages/messages.ts';
import { letterBounds } from '../readings/letter-bounds.ts';
import { dayOf } from '../readings/usage-writer.ts';
import { FULL_PERCENT } from './full-percent.ts';
import { createUsageRepo, type UsageRepo, type UsageRow } from './usage.repo.ts';

/** One of a farm's limits as it stands. */
interface Standing {
  readonly what: 'readings' | 'accountReadings' | 'series' | 'letters' | 'lettersToday';
  readonly used: number;
  readonly limit: number;
}

/**
 * Tells a farm's people, once a day for each limit, when the farm has used 80 % of what it may, and once more when it has used all
 * of it; the limits that all farms of an account share are reported to its owner only. Marking and sending are one
 * transaction, so two servers send it once, and a killed one leaves nothing half done.
 */
export async function tellUsage(
  { db, messages }: { db: Db; messages: Pick<Messages, 'notify'> },
  limits: UsageLimits,
  now: Date,
): Promise<void> {
  const day = dayOf(now);
  const repo = createUsageRepo(db);
  for (const row of await repo.ofDay(day))
    for (const standing of await standingsOf(repo, row, limits)) {
      const percent = percentToReport(standing);
      if (percent === 0 || (row.told[standing.what] ?? 0) >= percent) continue;
      const note = { ...noteOf(row, standing, percent), expiresAt: endOf(day) };
      await db.transaction().execute(async (trx) => {
        if (!(await createUsageRepo(trx).markNotified(row.farmId, day, standing.what, percent))) return;
        for (const accountId of await hearersOf(row, standing, now, trx))
          await messages.notify(accountId, note, now, trx);
      });
    }
}

const hearersOf = async ({ farmId, ownerId }: UsageRow, { what }: Standing, now: Date, trx: Db) =>
  what === 'accountReadings' ? [ownerId] : accountsWithFlag(trx, farmId, 'notifications', now);

/** The day is over (UTC), and its counts with it. */
const endOf = (day: string) => new Date(Date.parse(day) + 86_400_000);

async function standingsOf(repo: UsageRepo, row: UsageRow, limits: UsageLimits): Promise<Standing[]> {
  const { readings, ofAccount, newSeries } = row;
  const standings: Standing[] = [
    { what: 'readings', used: readings, limit: limits.farmReadingsADay },
    { what: 'accountReadings', used: ofAccount, limit: limits.accountReadingsADay },
  ];
  // Counting them takes a while: only where there are new ones.
  if (newSeries > 0)
    standings.push({ what: 'series', used: await repo.series(row.farmId), limit: limits.farmSeries });
  if (row.letters > 0) standings.push(...(await roomForLetters(repo, row)));
  return standings;
}

/** For whole messages that were not taken: of the day, by number or size, whichever is nearer, and in all. */
async function roomForLetters(repo: UsageRepo, row: UsageRow): Promise<Standing[]> {
  const { messagesADay, bytesADay, bytesPerFarm } = letterBounds;
  const share = Math.max(row.keptMessages / messagesADay, row.keptBytes / bytesADay);
  return [
    { what: 'letters', used: await repo.keptBytes(row.farmId), limit: bytesPerFarm },
    { what: 'lettersToday', used: share * messagesADay, limit: messagesADay },
  ];
}

function percentToReport({ used, limit }: Standing): number {
  const percent = (100 * used) / limit;
  if (percent >= FULL_PERCENT) return 100;
  return percent >= USAGE_NOTICE_PERCENT ? USAGE_NOTICE_PERCENT : 0;
}

const percentOf = (used: number, limit: number) => Math.min(100, Math.floor((100 * used) / limit));

const number = new Intl.NumberFormat('en-NZ');

function noteOf({ farmName, farmUid }: UsageRow, { what, used, limit }: Standing, percent: number): Note {
  const isFull = percent === 100;
  const some = `${number.format(used)} of ${number.format(limit)}`;
  const link = `/device-messages/${farmUid}`;
  if (what === 'series')
    return {
      title: isFull ? `${farmName} can keep no further values` : `${farmName} keeps many values`,
      message: `Its devices use ${some} places for values. ${isFull ? 'New devices and new values of devices are not kept' : 'When all are used, new devices and new values are not kept'} until devices are removed or the operator allows more.`,
      link,
    };
  if (what === 'letters')
    return {
      title: `${farmName} has ${isFull ? 'no' : 'little'} room for messages that were not taken`,
      message: `${percentOf(used, limit)} % of it are used. ${isFull ? 'The oldest of them are dropped now' : 'When it is full, the oldest of them are dropped'}. See why they were not taken, and try them again.`,
      link,
    };
  if (what === 'lettersToday')
    return {
      title: `${farmName} sends many messages that are not taken`,
      message: `${percentOf(used, limit)} % of what is kept of them on a day are used. ${isFull ? 'What comes now is counted and not kept' : 'Beyond it they are counted and not kept'}, and can't be tried again. Please look why they are not taken.`,
      link,
    };
  const whose = what === 'readings' ? 'The devices of this farm' : 'The devices of all your farms together';
  return {
    title: isFull ? `${farmName} has no room for readings today` : `${farmName} sends many readings`,
    message: `${whose} have sent ${some} readings for today. ${isFull ? 'What comes now is not taken; its messages are kept as far as there is room, to be tried again tomorrow' : 'When the limit is reached, further readings of the day are not taken'}.`,
    link,
  };
}
