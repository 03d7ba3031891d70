import { createHash, randomBytes } from 'node:crypto';
import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';

const DAY_MS = 86_400_000;
/** 128 bits (ASVS 11.5.1) in 22 characters: the link still leaves an SMS room for its sentence. */
const KEY_BYTES = 16;

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest();

export interface KeyOf {
  readonly farmId: number;
  readonly incidentId: string;
  readonly accountId: number;
  /** How urgent it is as the message tells it. */
  readonly class: AlertClass;
}

/** A key that travels in a message: only its hash is kept. */
export async function issueAnswerKey(
  trx: Db,
  { farmId, incidentId, accountId, class: of }: KeyOf,
  now: Date,
): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString('base64url');
  await trx
    .insertInto('answer_key')
    .values({
      farm_id: farmId,
      key_hash: hashOf(key),
      incident_id: incidentId,
      account_id: accountId,
      class: of,
      expires_at: new Date(now.getTime() + DAY_MS),
    })
    .execute();
  return key;
}

/** What a key is for; undefined where it is none, or too old. */
export function readAnswerKey(db: Db, key: string, now: Date) {
  return db
    .selectFrom('answer_key as k')
    .innerJoin('alert_incident as i', (join) =>
      join.onRef('i.farm_id', '=', 'k.farm_id').onRef('i.id', '=', 'k.incident_id'),
    )
    .innerJoin('account as a', 'a.id', 'k.account_id')
    .select(['k.farm_id', 'k.account_id', 'k.class', 'i.uid', 'a.name'])
    .where('k.key_hash', '=', hashOf(key))
    .where('k.expires_at', '>', now)
    .executeTakeFirst();
}

export const readFarm = (db: Db, farmId: number) =>
  db
    .selectFrom('farm')
    .selectAll()
    .where('id', '=', farmId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const purgeAnswerKeys = (db: Db, now: Date) =>
  db.deleteFrom('answer_key').where('expires_at', '<=', now).execute();
