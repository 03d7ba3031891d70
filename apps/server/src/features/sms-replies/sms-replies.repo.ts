import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

const DAY_MS = 86_400_000;
/** As messages are addressed: +64211234567. */
const numberSql = sql<string>`'+' || country_code || ltrim(regexp_replace(mobile, '[^0-9]', '', 'g'), '0')`;

export const accountsOfNumber = (db: Db, number: string) =>
  db
    .selectFrom('account')
    .select('id')
    .where('mobile', 'is not', null)
    .where('country_code', 'is not', null)
    .where(numberSql, '=', number)
    .limit(20)
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

export interface ToldBySms {
  readonly farmId: number;
  readonly uid: string;
  readonly accountId: number;
  readonly name: string;
  readonly to: { readonly countryCode: number; readonly mobile: string };
}

/** The newest incident that went to this number in the last day, is so still, and has nobody; else the newest of them. */
export async function newestAlertTo(db: Db, number: string, now: Date): Promise<ToldBySms | undefined> {
  const { rows } = await sql<{
    farm_id: number;
    uid: string;
    account_id: number;
    name: string;
    country_code: number;
    mobile: string;
  }>`select i.farm_id, i.uid, a.id as account_id, a.name, a.country_code, a.mobile
    from outbox o join account a on a.id = o.account_id
      join alert_incident i on i.uid = split_part(o.dedupe_key, ' ', 2)
    where o.way = 'sms' and o.recipient = ${number} and o.dedupe_key like 'alert %'
      and o.at > ${new Date(now.getTime() - DAY_MS)} and a.mobile is not null and a.country_code is not null
    order by (i.ended_at is null and i.answered_by is null) desc, o.id desc limit 1`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { farm_id: farmId, uid, account_id: accountId, name, country_code: countryCode, mobile } = row;
  return { farmId, uid, accountId, name, to: { countryCode, mobile } };
}
