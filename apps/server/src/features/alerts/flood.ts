import { type AlertKind, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Messages } from '../messages/messages.ts';
import type { Touched } from './life-writer.ts';

/** ISA-18.2: more than ten that begin within ten minutes are a flood. It is over where fewer than five began in the ten minutes before. */
const SPAN_MS = 10 * 60_000;
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
  await trx.insertInto('alert_flood').values({ farm_id: farm.id, since: now }).execute();
  await tell(trx, messages, farm, kinds, now);
  return true;
}

/** Whether people were told of a flood that is not over. `before`: how many began in the ten minutes before this look. */
async function goesOn(trx: Db, farmId: number, before: number, now: Date): Promise<boolean> {
  const flood = await trx
    .selectFrom('alert_flood')
    .select('since')
    .where('farm_id', '=', farmId)
    .executeTakeFirst();
  if (!flood) return false;
  // What was told of it so long ago is of no use any more.
  if (before >= CALM && now.getTime() - flood.since.getTime() < OF_USE_MS) return true;
  await trx.deleteFrom('alert_flood').where('farm_id', '=', farmId).execute();
  return false;
}

interface Begun {
  readonly kind: AlertKind;
  readonly count: number;
  /** Of them, those that an earlier look found. */
  readonly before: number;
}

const sumOf = (kinds: readonly Begun[], which: 'count' | 'before') =>
  kinds.reduce((sum, { [which]: of }) => sum + of, 0);

const begun = (trx: Db, farmId: number, now: Date): Promise<Begun[]> =>
  trx
    .selectFrom('alert_incident')
    .select([
      'kind',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`(count(*) filter (where opened_at <> ${now}))::int`.as('before'),
    ])
    .where('farm_id', '=', farmId)
    .where('opened_at', '>', new Date(now.getTime() - SPAN_MS))
    .groupBy('kind')
    .orderBy('count', 'desc')
    .orderBy('kind')
    .execute();

async function tell(
  trx: Db,
  messages: Pick<Messages, 'notify'>,
  farm: FarmRow,
  kinds: readonly Begun[],
  now: Date,
): Promise<void> {
  const count = sumOf(kinds, 'count');
  const listed = kinds.map(({ kind, count: of }) => `${of} ${alertKindInfo[kind].label.toLowerCase()}`);
  const note = {
    title: `${farm.name}: ${count} alerts at once`.slice(-60),
    message: `${count} alerts began within 10 minutes: ${listed.join(', ')}. Until that is over only urgent ones are told one by one; the list has them all.`,
    link: `/alerts?farm=${farm.uid}`,
    alert: true,
    dedupeKey: `alert flood ${farm.uid} ${now.getTime()}`,
    expiresAt: new Date(now.getTime() + OF_USE_MS),
    ways: ['push', 'mail'] as const,
  };
  for (const accountId of await accountsWithFlag(trx, farm.id, 'notifications', now))
    await messages.notify(accountId, note, now, trx);
}
