import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Messages } from '../messages/messages.ts';
import { nameOf } from './pauses.ts';

/** Who of these accounts is not told where others did not answer. */
export async function refusersOf(db: Db, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (accountIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('alert_preference')
    .select('account_id')
    .where('account_id', 'in', [...accountIds])
    .where('escalations', '=', false)
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
}

interface Counting {
  readonly farm_id: number;
  readonly farm_uid: string;
  readonly farm: string;
  readonly alerts: number;
  /** One of them. */
  readonly alert: string;
}

/** By farm, the alerts that are on and name somebody for where nobody answers. */
const countingOn = async (trx: Db, accountId: number): Promise<Counting[]> => {
  const { rows } = await sql<Counting>`
    select f.id as farm_id, f.uid as farm_uid, f.name as farm, count(*)::int as alerts, min(r.name) as alert
    from alert_rule r join farm f on f.id = r.farm_id and f.deleted_at is null
    where r.enabled and r.escalate_min is not null and ${accountId}::int = any(r.escalate_people)
    group by f.id order by f.id`.execute(trx);
  return rows;
};

/** The others of farms whose alerts count on somebody hear in the bell that they no longer can, or can again: silence would be taken for help. */
export async function tellOfEscalations(
  trx: Db,
  messages: Pick<Messages, 'notify'>,
  accountId: number,
  takes: boolean,
  now: Date,
): Promise<void> {
  const farms = await countingOn(trx, accountId);
  const name = (await nameOf(trx, accountId)) ?? 'Somebody';
  for (const { farm_id, farm_uid, farm, alerts, alert } of farms) {
    const hearers = await accountsWithFlag(trx, farm_id, 'notifications', now);
    if (!hearers.includes(accountId)) continue;
    const of = alerts === 1 ? `“${alert}” names` : `${alerts} alerts name`;
    const message = takes
      ? `${name} takes escalations again: ${of} them for where nobody answers.`
      : `${name} doesn't take escalations any more: ${of} them for where nobody answers. Whoever else is told of the farm is told instead.`;
    const note = { title: `${farm}: alerts`, message, link: `/alerts?farm=${farm_uid}`, ways: [] };
    for (const hearer of hearers) if (hearer !== accountId) await messages.notify(hearer, note, now, trx);
  }
}
