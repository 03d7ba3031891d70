import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Messages } from '../messages/messages.ts';
import { type FloodKind, hearersOfFlood, messageOfFlood } from './flood-message.ts';
import type { Touched } from './life-writer.ts';
import { mayNotify } from './pauses.ts';

/** ISA-18.2: more than ten that begin within ten minutes are a flood. It is over where fewer than five began in the ten minutes before. */
export const SPAN_MS = 10 * 60_000;
const MOST = 10;
const CALM = 5;
const OF_USE_MS = 6 * 3_600_000;

/**
 * Whether so much begins on a farm that it is not told one by one; when a flood begins, and where it goes on for hours, people are told
 * that, with how many of each kind. What is urgent is told in any case.
 */
export async function isFlooded(
  trx: Db,
  messages: Pick<Messages, 'notify'>,
  farm: FarmRow,
  touched: readonly Touched[],
  now: Date,
): Promise<boolean> {
  if (!touched.some(({ what }) => what === 'began')) return false;
  const kinds = await begun(trx, farm.id, now);
  if (await goesOn(trx, farm.id, sumOf(kinds, 'before'), now)) return true;
  if (sumOf(kinds, 'count') <= MOST) return false;
  const heldFor = await tell(trx, messages, farm, kinds, now);
  await storeFlood(trx, farm.id, heldFor, now);
  return true;
}

/** Whether people were told of a flood that is not over. `before`: how many began in the ten minutes before this look. */
async function goesOn(trx: Db, farmId: number, before: number, now: Date): Promise<boolean> {
  const flood = await trx
    .selectFrom('alert_flood')
    .select('since')
    .where('farm_id', '=', farmId)
    .where('is_over', '=', false)
    .executeTakeFirst();
  if (!flood) return false;
  // What was told of it so long ago is of no use any more.
  if (before >= CALM && now.getTime() - flood.since.getTime() < OF_USE_MS) return true;
  await trx.updateTable('alert_flood').set({ is_over: true }).where('farm_id', '=', farmId).execute();
  return false;
}

/** Whoever was still to be told of the one before is told of both. */
const storeFlood = (trx: Db, farmId: number, heldFor: readonly number[], now: Date) =>
  sql`insert into alert_flood (farm_id, since, held_for, held_since)
    values (${farmId}, ${now}, ${[...heldFor]}::int[], ${new Date(now.getTime() - SPAN_MS)})
    on conflict (farm_id) do update set since = excluded.since, is_over = false,
      held_since = case when alert_flood.held_for = '{}' then excluded.held_since
        else least(alert_flood.held_since, excluded.held_since) end,
      held_for = array(select unnest(alert_flood.held_for) union select unnest(excluded.held_for))`.execute(
    trx,
  );

interface Begun extends FloodKind {
  /** Of them, those that an earlier look found. */
  readonly before: number;
  /** Of them, those that neither a snooze nor a pause holds back. */
  readonly told: number;
}

const sumOf = (kinds: readonly Begun[], which: 'count' | 'before' | 'told') =>
  kinds.reduce((sum, { [which]: of }) => sum + of, 0);

const begun = (trx: Db, farmId: number, now: Date): Promise<Begun[]> =>
  trx
    .selectFrom('alert_incident as i')
    .select([
      'i.kind',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where i.opened_at <> ${now}))::int`.as('before'),
      sql<number>`(count(*) filter (where ${mayNotify(now)}))::int`.as('told'),
    ])
    .where('i.farm_id', '=', farmId)
    .where('i.opened_at', '>', new Date(now.getTime() - SPAN_MS))
    .where('i.seen_late_at', 'is', null)
    .groupBy('i.kind')
    .orderBy('count', 'desc')
    .orderBy('i.kind')
    .execute();

/** Those who have it in the bell alone: all of it is paused, or it is quiet at theirs. */
async function tell(
  trx: Db,
  messages: Pick<Messages, 'notify'>,
  farm: FarmRow,
  kinds: readonly Begun[],
  now: Date,
): Promise<number[]> {
  const isPaused = sumOf(kinds, 'told') === 0;
  const count = sumOf(kinds, 'count');
  const note = messageOfFlood(farm, kinds, {
    first: `${count} alerts began within 10 minutes`,
    last: 'Until that is over only urgent ones are told one by one; the list has them all.',
    expiresAt: new Date(now.getTime() + OF_USE_MS),
    key: now.getTime(),
  });
  const heldFor: number[] = [];
  for (const { accountId, ways, isQuiet } of await hearersOfFlood(trx, farm.id, now)) {
    const isHeld = isPaused || isQuiet;
    if (isHeld && ways.length > 0) heldFor.push(accountId);
    await messages.notify(accountId, { ...note, ways: isHeld ? [] : ways }, now, trx);
  }
  return heldFor;
}
