import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 30 * DAY_MS;
/** As messages are addressed: +64211234567. */
const numberSql = sql<string>`'+' || country_code || ltrim(regexp_replace(mobile, '[^0-9]', '', 'g'), '0')`;

export const accountsOfNumber = (db: Db, number: string) =>
  db
    .selectFrom('account')
    .select(['id', 'send_sms', 'country_code', 'mobile'])
    .where('mobile', 'is not', null)
    .where('country_code', 'is not', null)
    .where(numberSql, '=', number)
    .limit(20)
    .$narrowType<{ country_code: number; mobile: string }>()
    .execute();

/** Those for whom that is new. */
export const setWantsSms = (db: Db, number: string, wants: boolean, now: Date) =>
  db
    .updateTable('account')
    .set({ send_sms: wants, updated_at: now })
    .where('mobile', 'is not', null)
    .where('country_code', 'is not', null)
    .where(numberSql, '=', number)
    .where('send_sms', '=', !wants)
    .returning('id')
    .execute();

/** A reply, by what its provider calls it. */
export interface ReplyId {
  readonly provider: string;
  readonly id: string;
}

/** False: it was taken before. One without a name is taken each time. */
export async function takeReply(
  db: Db,
  { provider, id }: ReplyId,
  outboxId: string | null,
  now: Date,
): Promise<boolean> {
  if (id === '') return true;
  await db
    .deleteFrom('sms_reply')
    .where('at', '<', new Date(now.getTime() - KEPT_MS))
    .execute();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('sms_reply')
    .values({ provider, id, at: now, outbox_id: outboxId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/**
 * The SMS that a reply answers: the last of an alert that went to its number within a day. It stays that one, however often the provider
 * tells of the reply, and whatever went to the number since.
 */
export async function smsAnsweredBy(
  db: Db,
  reply: ReplyId,
  number: string,
  now: Date,
): Promise<string | null> {
  const last = await lastSmsTo(db, number, now);
  if (await takeReply(db, reply, last, now)) return last;
  const taken = await db
    .selectFrom('sms_reply')
    .select('outbox_id')
    .where('provider', '=', reply.provider)
    .where('id', '=', reply.id)
    .executeTakeFirst();
  return taken?.outbox_id ?? null;
}

/** What is not sent yet was read by nobody. */
async function lastSmsTo(db: Db, number: string, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom('outbox')
    .select('id')
    .where('way', '=', 'sms')
    .where('recipient', '=', number)
    .where('dedupe_key', 'like', 'alert %')
    .where('state', 'in', ['sent', 'delivered'])
    .where('at', '>', new Date(now.getTime() - DAY_MS))
    .orderBy(sql`sent_at desc nulls last`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

export interface SmsRecipient {
  readonly farmId: number;
  readonly uid: string;
  readonly accountId: number;
  readonly name: string;
  /** How urgent it was as that SMS told it; null: nobody knows. */
  readonly seen: AlertClass | null;
  readonly to: { readonly countryCode: number; readonly mobile: string };
}

/** Whom that SMS told, by its number: several where they share the phone, the last who was told first. */
export async function peopleOfSms(db: Db, outboxId: string, number: string): Promise<SmsRecipient[]> {
  const { rows } = await sql<{
    farm_id: number;
    uid: string;
    account_id: number;
    name: string;
    seen: AlertClass | null;
    country_code: number;
    mobile: string;
  }>`select i.farm_id, i.uid, a.id as account_id, a.name, a.country_code, a.mobile,
      (select k.class from answer_key k where k.farm_id = i.farm_id and k.incident_id = i.id and k.account_id = a.id
        and k.expires_at <= last.at + interval '1 day' order by k.expires_at desc limit 1) as seen
    from outbox last
      join alert_incident i on i.uid = split_part(last.dedupe_key, ' ', 2)
      join outbox o on o.way = 'sms' and o.recipient = last.recipient and o.state in ('sent', 'delivered')
        and o.dedupe_key like 'alert %' and split_part(o.dedupe_key, ' ', 2) = i.uid
      join account a on a.id = o.account_id
    where last.id = ${outboxId} and ${numberSql} = ${number}
    group by i.farm_id, i.id, a.id, last.id order by max(o.id) desc limit 20`.execute(db);
  return rows.map(
    ({ farm_id: farmId, uid, account_id: accountId, name, seen, country_code: countryCode, mobile }) => ({
      farmId,
      uid,
      accountId,
      name,
      seen,
      to: { countryCode, mobile },
    }),
  );
}
