import type { Db } from '../../db/client.ts';
import { settle } from '../commands/settle.ts';
import { createDeadLettersRepo, type KeptFilter } from '../dead-letters/dead-letters.repo.ts';
import { replay, type Replayed } from '../dead-letters/replay.ts';
import { createIngest } from '../readings/ingest.ts';
import { RAW_RETENTION_DAYS } from '@headrace/contract/limits';
import type { OperatorContext } from './command.ts';
import { UsageError } from './usage-error.ts';

/**
 * Takes kept messages once more through an ingest of its own, beside a running server or without one. What a codec has to decode is
 * stored for the server, which decodes it. Throws UsageError.
 */
export async function replayLetters(context: OperatorContext, what: string | undefined): Promise<string> {
  const { db, pool, now, retentionDays = RAW_RETENTION_DAYS } = context;
  if (!pool) throw new Error('replaying needs the database connection of the command line');
  const filter = await filterOf(db, what);
  const quiet = { warn: () => {}, error: () => {} };
  const ingest = createIngest({
    pool,
    now: () => now,
    log: quiet,
    retentionDays,
    ...(context.usageLimits && { limits: context.usageLimits }),
    settle,
    onCommitted: () => {},
  });
  try {
    return replayText(await replayAll(db, filter, (message) => ingest.replay(message)));
  } finally {
    await ingest.stop();
  }
}

/** Until nothing is left of what there was at the beginning. */
async function replayAll(
  db: Db,
  filter: KeptFilter,
  takeAgain: Parameters<typeof replay>[1],
): Promise<Replayed> {
  const repo = createDeadLettersRepo(db);
  const { last } = await repo.countAndLast(filter);
  const sum: Replayed = { taken: 0, failed: 0, left: 0, reason: '' };
  if (last === null) return sum;
  do {
    const { taken, failed, left, reason } = await replay(repo, takeAgain, { ...filter, upTo: last });
    sum.taken += taken;
    sum.failed += failed;
    sum.reason = reason || sum.reason;
    sum.left = taken + failed > 0 ? left : 0;
  } while (sum.left > 0);
  return sum;
}

async function filterOf(db: Db, what: string | undefined): Promise<KeptFilter> {
  if (what === 'all') return {};
  if (what && /^[0-9a-f]{24}$/i.test(what)) {
    const farm = await db
      .selectFrom('farm')
      .select('id')
      .where('uid', '=', what.toLowerCase())
      .executeTakeFirst();
    if (farm) return { farmId: farm.id };
    throw new UsageError(`There is no farm ${what}.`);
  }
  if (!what || !/^[0-9]{1,18}$/.test(what))
    throw new UsageError('Give the number of a letter, the id of a farm, or all.');
  const letter = await db
    .selectFrom('dead_letter')
    .select('farm_id')
    .where('id', '=', what)
    .executeTakeFirst();
  if (!letter) throw new UsageError(`There is no dead letter ${what}.`);
  return { farmId: letter.farm_id ?? 0, letterId: what };
}

function replayText({ taken, failed, reason }: Replayed): string {
  if (taken + failed === 0) return 'No message is kept that could be taken.';
  const rest = failed > 0 ? `; ${failed} failed again, the last one: ${reason}` : '';
  return `${taken} taken${rest}.`;
}
