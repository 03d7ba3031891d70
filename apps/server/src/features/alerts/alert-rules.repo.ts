import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { AlertTables } from '../../db/schema/alerts.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { RuleRow } from './observation.ts';
import { areInBellAlone } from './farms-in-bell-alone.ts';
import { readPauses } from './pauses.ts';

export type RuleValues = Omit<
  Insertable<AlertTables['alert_rule']>,
  'farm_id' | 'id' | 'uid' | 'version' | 'created_by' | 'created_at' | 'updated_at' | 'on_since'
>;
export interface PersonRow extends Pick<Selectable<AccountTable>, 'id' | 'uid' | 'name'> {
  /** False: they are not told where others did not answer. */
  readonly takes_escalations: boolean;
}
export type WatchableRow = Pick<DeviceRow, 'id' | 'uid' | 'name' | 'kind' | 'type'>;

/** Until the transaction ends nobody else changes the farm's rules, or writes what became of them. */
export async function lockRules(trx: Db, farmId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('headrace alert rules'), ${farmId})`.execute(trx);
}

export function createAlertRulesRepo(db: Db) {
  const ofFarm = (farmId: number, trx: Db = db) =>
    trx.selectFrom('alert_rule').selectAll().where('farm_id', '=', farmId);
  return {
    list: (farmId: number): Promise<RuleRow[]> => ofFarm(farmId).orderBy('id').execute(),

    find: (farmId: number, uid: string, trx: Db = db): Promise<RuleRow | undefined> =>
      ofFarm(farmId, trx).where('uid', '=', uid).executeTakeFirst(),

    /** Alone with the farm's rules. */
    inTransaction: <T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await lockRules(trx, farmId);
        await claimOnce(trx);
        return work(trx);
      }),

    async count(farmId: number, trx: Db): Promise<number> {
      const { count } = await trx
        .selectFrom('alert_rule')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('farm_id', '=', farmId)
        .executeTakeFirstOrThrow();
      return count;
    },

    async add(
      trx: Db,
      row: RuleValues & { farm_id: number; uid: string; created_by: number | null },
      now: Date,
    ): Promise<void> {
      await trx
        .insertInto('alert_rule')
        .values({ ...row, on_since: now, created_at: now, updated_at: now })
        .execute();
    },

    /** One that was off watches from now on. */
    change(trx: Db, { farm_id, id, enabled }: RuleRow, values: RuleValues, now: Date): Promise<RuleRow> {
      const isSwitchedOn = values.enabled && !enabled;
      return trx
        .updateTable('alert_rule')
        .set({
          ...values,
          updated_at: now,
          version: sql`version + 1`,
          ...(isSwitchedOn && { on_since: now }),
        })
        .where('farm_id', '=', farm_id)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    async remove(trx: Db, { farm_id, id }: RuleRow): Promise<void> {
      await trx.deleteFrom('alert_pause').where('farm_id', '=', farm_id).where('rule_id', '=', id).execute();
      await trx.deleteFrom('alert_rule').where('farm_id', '=', farm_id).where('id', '=', id).execute();
    },

    openOf(trx: Db, { farm_id, id }: RuleRow) {
      return trx
        .selectFrom('alert_episode')
        .selectAll()
        .where('farm_id', '=', farm_id)
        .where('rule_id', '=', id)
        .where('state', '!=', 'ended')
        .execute();
    },

    /** All that an alert could watch. */
    devices(farmId: number): Promise<WatchableRow[]> {
      return db
        .selectFrom('device')
        .select(['id', 'uid', 'name', 'kind', 'type'])
        .where('farm_id', '=', farmId)
        .where('kind', '!=', 'poi')
        .where('deleted_at', 'is', null)
        .execute();
    },

    device: (farmId: number, uid: string, trx: Db): Promise<Pick<WatchableRow, 'id' | 'name'> | undefined> =>
      trx
        .selectFrom('device')
        .select(['id', 'name'])
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .where('kind', '!=', 'poi')
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),

    /** Who is told of the farm, by name. */
    async people(farmId: number, now: Date): Promise<PersonRow[]> {
      const ids = await accountsWithFlag(db, farmId, 'notifications', now);
      if (ids.length === 0) return [];
      return db
        .selectFrom('account as a')
        .leftJoin('alert_preference as p', 'p.account_id', 'a.id')
        .select([
          'a.id',
          'a.uid',
          'a.name',
          sql<boolean>`coalesce(p.escalations, true)`.as('takes_escalations'),
        ])
        .where('a.id', 'in', ids)
        .orderBy('a.name')
        .orderBy('a.id')
        .execute();
    },

    isInBellAlone: (accountIds: readonly number[]) => areInBellAlone(db, accountIds),

    pauses: (farmId: number, now: Date) => readPauses(db, farmId, now),

    /** When people were last told by each rule. */
    async lastNotified(farmId: number): Promise<Map<number, Date>> {
      const rows = await db
        .selectFrom('alert_incident')
        .select(['rule_id', sql<Date>`max(opened_at)`.as('at')])
        .where('farm_id', '=', farmId)
        .where('rule_id', 'is not', null)
        .where('seen_late_at', 'is', null)
        .groupBy('rule_id')
        .execute();
      return new Map(rows.flatMap(({ rule_id, at }) => (rule_id === null ? [] : [[rule_id, at]])));
    },
  };
}
export type AlertRulesRepo = ReturnType<typeof createAlertRulesRepo>;
