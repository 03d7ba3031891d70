import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Messages } from '../messages/messages.ts';
import { type FloodKind, hearersOfFlood, messageOfFlood } from './flood-message.ts';
import { mayBeTold } from './pauses.ts';

const OF_USE_MS = 6 * 3_600_000;
const AT_ONCE = 50;

/** Farms of which somebody has a flood in the bell alone. */
export const heldFloods = async (db: Db): Promise<number[]> => {
  const rows = await db
    .selectFrom('alert_flood')
    .select('farm_id')
    .where(sql<boolean>`held_for <> '{}'`)
    .orderBy('farm_id')
    .limit(AT_ONCE)
    .execute();
  return rows.map(({ farm_id }) => farm_id);
};

/** After a pause or their night people are told what of a flood is still so, and has nobody, by the ways they want. */
export async function tellHeldFlood(
  trx: Db,
  messages: Pick<Messages, 'sendBy'>,
  farm: FarmRow,
  now: Date,
): Promise<void> {
  const flood = await trx
    .selectFrom('alert_flood')
    .select(['since', 'held_for', 'held_since'])
    .where('farm_id', '=', farm.id)
    .where(sql<boolean>`held_for <> '{}'`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!flood) return;
  const { kinds, waiting } = await stillSo(trx, farm.id, flood.held_since ?? flood.since, now);
  if (kinds.length === 0 && waiting > 0) return;
  const hearers = (await hearersOfFlood(trx, farm.id, now)).filter(({ accountId }) =>
    flood.held_for.includes(accountId),
  );
  const awake = kinds.length === 0 ? [] : hearers.filter(({ isQuiet }) => !isQuiet);
  const count = kinds.reduce((sum, { count: of }) => sum + of, 0);
  const note = messageOfFlood(farm, kinds, {
    first: `${count} of the alerts that began at once are still so, and nobody has answered`,
    last: 'The list has them all.',
    expiresAt: new Date(now.getTime() + OF_USE_MS),
    key: `${flood.since.getTime()} after`,
  });
  for (const { accountId, ways } of awake)
    for (const way of ways) await messages.sendBy(way, accountId, note, now, trx);
  await holdFor(
    trx,
    farm.id,
    kinds.length === 0 ? [] : hearers.flatMap(({ accountId, isQuiet }) => (isQuiet ? accountId : [])),
  );
}

const holdFor = (trx: Db, farmId: number, accountIds: number[]) =>
  trx.updateTable('alert_flood').set({ held_for: accountIds }).where('farm_id', '=', farmId).execute();

/** Without urgent ones, which are told one by one. `waiting`: paused, or perhaps over. */
async function stillSo(
  trx: Db,
  farmId: number,
  since: Date,
  now: Date,
): Promise<{ kinds: FloodKind[]; waiting: number }> {
  const rows = await trx
    .selectFrom('alert_incident as i')
    .select([
      'i.kind',
      sql<number>`(count(*) filter (where ${mayBeTold(now)} and ${isFiring}))::int`.as('count'),
      sql<number>`count(*)::int`.as('all'),
    ])
    .where('i.farm_id', '=', farmId)
    .where('i.opened_at', '>', since)
    .where('i.ended_at', 'is', null)
    .where('i.answered_at', 'is', null)
    .where('i.class', '!=', 'urgent')
    .groupBy('i.kind')
    .orderBy('count', 'desc')
    .orderBy('i.kind')
    .execute();
  return {
    kinds: rows.filter(({ count }) => count > 0),
    waiting: rows.reduce((sum, { all, count }) => sum + all - count, 0),
  };
}

const isFiring = sql<boolean>`exists (select from alert_episode e
  where e.farm_id = i.farm_id and e.incident_id = i.id and e.state = 'firing')`;
