import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { FARM } from './observation.ts';

/** Of a farm: those that are not over, of one alert, of one device or (0 and 0) of all. */
export const readPauses = (db: Db, farmId: number, now: Date) =>
  db
    .selectFrom('alert_pause as p')
    .leftJoin('account as a', 'a.id', 'p.by_account')
    .leftJoin('device as d', (join) =>
      join
        .onRef('d.farm_id', '=', 'p.farm_id')
        .onRef('d.id', '=', 'p.device_id')
        .on('d.deleted_at', 'is', null),
    )
    .select(['p.rule_id', 'p.device_id', 'p.until', 'a.name as by_name', 'd.uid as device_uid'])
    .select('d.name as device_name')
    .where('p.farm_id', '=', farmId)
    .where('p.until', '>', now)
    .execute();

export const nameOf = async (db: Db, accountId: number): Promise<string | undefined> =>
  (await db.selectFrom('account').select('name').where('id', '=', accountId).executeTakeFirst())?.name;

export interface Pause {
  readonly farmId: number;
  /** 0: all of the farm's. */
  readonly ruleId: number;
  /** 0: all. */
  readonly deviceId: number;
  readonly until: Date;
  readonly accountId: number;
}

/** Nobody is told what begins, or goes on, until then: what is so now as well. A later one of the same takes the place of this. */
export async function pause(
  trx: Db,
  { farmId, ruleId, deviceId, until, accountId }: Pause,
  now: Date,
): Promise<void> {
  const values = { until, by_account: accountId, at: now };
  await trx
    .insertInto('alert_pause')
    .values({ farm_id: farmId, rule_id: ruleId, device_id: deviceId, ...values })
    .onConflict((conflict) => conflict.columns(['farm_id', 'rule_id', 'device_id']).doUpdateSet(values))
    .execute();
}

/** It is over: what it held back, and is still so, is told with the next turn. */
export async function resume(
  trx: Db,
  { farmId, ruleId, deviceId }: Pick<Pause, 'farmId' | 'ruleId' | 'deviceId'>,
): Promise<void> {
  await trx
    .deleteFrom('alert_pause')
    .where('farm_id', '=', farmId)
    .where('rule_id', '=', ruleId)
    .where('device_id', '=', deviceId)
    .execute();
}

/**
 * Until when nobody is told that an incident (`i`) goes on, since somebody snoozed it, or its alert, its farm or each of its devices is
 * paused; null: it isn't.
 * Made from these as they are now, so that each of them can be made shorter, or ended, and the others hold.
 */
export const snoozedOrPausedUntil = sql<Date | null>`greatest(i.snoozed_until, (select max(p.until) from alert_pause p
  where p.farm_id = i.farm_id and p.device_id = 0 and p.rule_id in (${sql.lit(FARM)}, i.rule_id)),
  (select min(p.until) from alert_episode e left join alert_pause p
    on p.farm_id = e.farm_id and p.rule_id = ${sql.lit(FARM)} and p.device_id = e.device_id and e.device_id <> 0
    where e.farm_id = i.farm_id and e.incident_id = i.id and e.state <> 'ended' having bool_and(p.until is not null)))`;

/** Of an incident (`i`). */
export const mayNotify = (now: Date) => sql<boolean>`coalesce(${snoozedOrPausedUntil} <= ${now}, true)`;
