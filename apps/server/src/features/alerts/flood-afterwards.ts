import type { AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { NotifiedOfFlood } from '../../db/schema/alerts.ts';
import { grouped } from './grouped.ts';
import type { Messages } from '../messages/messages.ts';
import { SPAN_MS } from './flood.ts';
import { type FloodHearer, hearersOfFlood, messageOfFlood } from './flood-message.ts';
import { mayNotify } from './pauses.ts';

const OF_USE_MS = 6 * 3_600_000;
const AT_ONCE = 50;

/** Farms of which somebody has a flood in the bell alone. A deleted one waits: it may be restored. */
export async function* heldFloods(db: Db): AsyncGenerator<number> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('alert_flood as o')
      .innerJoin('farm as f', 'f.id', 'o.farm_id')
      .select('o.farm_id')
      .where(sql<boolean>`o.held_for <> '{}'`)
      .where('f.deleted_at', 'is', null)
      .where('o.farm_id', '>', after)
      .orderBy('o.farm_id')
      .limit(AT_ONCE)
      .execute();
    for (const { farm_id: farmId } of rows) yield farmId;
    const last = rows.at(-1);
    if (!last || rows.length < AT_ONCE) return;
    after = last.farm_id;
  }
}

/**
 * After a pause or their night people are told what of a flood is still so, and has nobody, by the ways they want. What is held back
 * longer, or may be over, is told them when that is known.
 */
export async function tellHeldFlood(
  trx: Db,
  messages: Pick<Messages, 'sendBy'>,
  farm: FarmRow,
  now: Date,
): Promise<void> {
  const flood = await trx
    .selectFrom('alert_flood')
    .select(['since', 'held_for', 'held_since', 'told'])
    .where('farm_id', '=', farm.id)
    .where(sql<boolean>`held_for <> '{}'`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!flood) return;
  const still = await stillSo(trx, farm.id, flood.held_since ?? flood.since, now);
  const left: Record<string, NotifiedOfFlood | undefined> = {};
  for (const hearer of await hearersOfFlood(trx, farm.id, now)) {
    const { accountId } = hearer;
    if (!flood.held_for.includes(accountId)) continue;
    const told = flood.told[accountId];
    const rest = still.filter(({ id }) => told?.ids.includes(id) !== true);
    const news = waits(hearer, told, now) ? [] : rest.filter(({ isNotified }) => isNotified);
    if (news.length > 0) await tell(trx, messages, { farm, hearer, since: flood.since, told, news }, now);
    if (rest.length > news.length) left[accountId] = notifiedWith(told, news, now);
  }
  await storeLeft(trx, farm.id, flood, left);
}

/** It is quiet at theirs, or they were told so lately that what comes and goes would be a message each time. */
const waits = ({ isQuiet }: FloodHearer, told: NotifiedOfFlood | undefined, now: Date) =>
  isQuiet || (told !== undefined && now.getTime() - told.at < SPAN_MS);

interface News {
  readonly farm: FarmRow;
  readonly hearer: FloodHearer;
  /** Of the flood. */
  readonly since: Date;
  /** Undefined: it is the first they are told of it. */
  readonly told: NotifiedOfFlood | undefined;
  readonly news: readonly Still[];
}

async function tell(
  trx: Db,
  messages: Pick<Messages, 'sendBy'>,
  { farm, hearer, since, told, news }: News,
  now: Date,
): Promise<void> {
  const kinds = [...grouped(news, ({ kind }) => kind)]
    .map(([kind, { length: count }]) => ({ kind, count }))
    .toSorted((one, other) => other.count - one.count);
  const note = messageOfFlood(farm, kinds, {
    first: `${news.length}${told ? ' more' : ''} of the alerts that began at once are still so, and nobody has answered`,
    last: 'The list has them all.',
    expiresAt: new Date(now.getTime() + OF_USE_MS),
    key: `${since.getTime()} after ${now.getTime()}`,
  });
  for (const way of hearer.ways) await messages.sendBy(way, hearer.accountId, note, now, trx);
}

function notifiedWith(
  told: NotifiedOfFlood | undefined,
  news: readonly Still[],
  now: Date,
): NotifiedOfFlood | undefined {
  if (news.length === 0) return told;
  return { at: now.getTime(), ids: [...(told?.ids ?? []), ...news.map(({ id }) => id)] };
}

/** Who is still to be told, and what each was. Each turn comes by, so only where it is otherwise. */
async function storeLeft(
  trx: Db,
  farmId: number,
  before: { readonly held_for: readonly number[]; readonly told: Readonly<Record<string, NotifiedOfFlood>> },
  left: Readonly<Record<string, NotifiedOfFlood | undefined>>,
): Promise<void> {
  const heldFor = Object.keys(left).map(Number);
  const isAsBefore =
    heldFor.length === before.held_for.length && heldFor.every((id) => left[id] === before.told[id]);
  if (isAsBefore) return;
  await trx
    .updateTable('alert_flood')
    .set({ held_for: heldFor, told: JSON.stringify(left) })
    .where('farm_id', '=', farmId)
    .execute();
}

interface Still {
  readonly id: string;
  readonly kind: AlertKind;
  /** False: held back, or perhaps over. */
  readonly isNotified: boolean;
}

/** Without urgent ones, and others that are told one by one. */
const stillSo = (trx: Db, farmId: number, since: Date, now: Date): Promise<Still[]> =>
  trx
    .selectFrom('alert_incident as i')
    .select(['i.id', 'i.kind', sql<boolean>`${mayNotify(now)} and ${isFiring}`.as('isNotified')])
    .where('i.farm_id', '=', farmId)
    .where('i.opened_at', '>', since)
    .where('i.ended_at', 'is', null)
    .where('i.answered_at', 'is', null)
    .where('i.class', '!=', 'urgent')
    .where(isNotifiedAsMany)
    .orderBy('i.kind')
    .orderBy('i.id')
    .execute();

const isFiring = sql<boolean>`exists (select from alert_episode e
  where e.farm_id = i.farm_id and e.incident_id = i.id and e.state = 'firing')`;

/** That more joined it is in the bell alone. */
const isNotifiedAsMany = sql<boolean>`not exists (select from alert_step s
  join alert_notice n on n.farm_id = s.farm_id and n.step_id = s.id
  where s.farm_id = i.farm_id and s.incident_id = i.id and s.what <> 'joined')`;
