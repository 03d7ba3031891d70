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

/** Nobody is told what begins, or goes on, until then: what is so now as well. */
export async function pause(trx: Db, { farmId, ruleId, until, accountId }: Pause, now: Date): Promise<void> {
  const values = { until, by_account: accountId, at: now };
  await trx
    .insertInto('alert_pause')
    .values({ farm_id: farmId, rule_id: ruleId, ...values })
    .onConflict((conflict) => conflict.columns(['farm_id', 'rule_id']).doUpdateSet(values))
    .execute();
  await trx
    .updateTable('alert_incident')
    .set({ snoozed_until: until, snoozed_by: accountId, version: sql`version + 1` })
    .where('farm_id', '=', farmId)
    .where('ended_at', 'is', null)
    .where((eb) => eb.or([eb('snoozed_until', 'is', null), eb('snoozed_until', '<', until)]))
    .$if(ruleId !== FARM, (query) => query.where('rule_id', '=', ruleId))
    .execute();
}

/** It is over: what it held back, and is still so, is told with the next turn. */
export async function resume(trx: Db, farmId: number, ruleId: number, now: Date): Promise<void> {
  const ended = await trx
    .deleteFrom('alert_pause')
    .where('farm_id', '=', farmId)
    .where('rule_id', '=', ruleId)
    .returning('until')
    .executeTakeFirst();
  if (!ended) return;
  await trx
    .updateTable('alert_incident')
    .set({ snoozed_until: null, version: sql`version + 1` })
    .set('next_step_at', sql`case when next_step_at = ${ended.until} then ${now} else next_step_at end`)
    .where('farm_id', '=', farmId)
    .where('ended_at', 'is', null)
    .where('snoozed_until', '=', ended.until)
    .$if(ruleId !== FARM, (query) => query.where('rule_id', '=', ruleId))
    .execute();
}

/** What begins while its alert, or its farm, is paused is snoozed until then, and told if it is still so. */
export async function snoozeByPause(
  trx: Db,
  farmId: number,
  incidentId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update alert_incident i set snoozed_until = p.until, snoozed_by = p.by_account, next_step_at = p.until
    from (select until, by_account, rule_id from alert_pause where farm_id = ${farmId} and until > ${now}
      and rule_id in (0, (select rule_id from alert_incident where farm_id = ${farmId} and id = ${incidentId}))
      order by until desc limit 1) p
    where i.farm_id = ${farmId} and i.id = ${incidentId} returning 1`.execute(trx);
  return rows.length > 0;
}
