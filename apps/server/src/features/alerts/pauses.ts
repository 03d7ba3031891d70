import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { FARM } from './observation.ts';

/** Of a farm: those that are not over, of one alert or (0) of all. */
export const readPauses = (db: Db, farmId: number, now: Date) =>
  db
    .selectFrom('alert_pause as p')
    .leftJoin('account as a', 'a.id', 'p.by_account')
    .select(['p.rule_id', 'p.until', 'a.name as by_name'])
    .where('p.farm_id', '=', farmId)
    .where('p.until', '>', now)
    .execute();

export const nameOf = async (db: Db, accountId: number): Promise<string | undefined> =>
  (await db.selectFrom('account').select('name').where('id', '=', accountId).executeTakeFirst())?.name;

export interface Pause {
  readonly farmId: number;
  /** 0: all of the farm's. */
  readonly ruleId: number;
  readonly until: Date;
  readonly accountId: number;
}

/** Nobody is told what begins, or goes on, until then: what is so now as well. A later one of the same takes the place of this. */
export async function pause(trx: Db, { farmId, ruleId, until, accountId }: Pause, now: Date): Promise<void> {
  const values = { until, by_account: accountId, at: now };
  await trx
    .insertInto('alert_pause')
    .values({ farm_id: farmId, rule_id: ruleId, ...values })
    .onConflict((conflict) => conflict.columns(['farm_id', 'rule_id']).doUpdateSet(values))
    .execute();
}

/** It is over: what it held back, and is still so, is told with the next turn. */
export async function resume(trx: Db, farmId: number, ruleId: number): Promise<void> {
  await trx.deleteFrom('alert_pause').where('farm_id', '=', farmId).where('rule_id', '=', ruleId).execute();
}

/**
 * Until when nobody is told that an incident (`i`) goes on, since somebody snoozed it, or its alert or its farm is paused; null: it isn't.
 * Made from these as they are now, so that each of them can be made shorter, or ended, and the others hold.
 */
export const untoldUntil = sql<Date | null>`greatest(i.snoozed_until, (select max(p.until) from alert_pause p
  where p.farm_id = i.farm_id and p.rule_id in (${sql.lit(FARM)}, i.rule_id)))`;

/** Of an incident (`i`). */
export const mayBeTold = (now: Date) => sql<boolean>`coalesce(${untoldUntil} <= ${now}, true)`;
