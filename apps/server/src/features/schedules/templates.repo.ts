import { sql } from 'kysely';
import type { WaterApplication } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import type { KeptDesign } from '../../db/schema/commands.ts';
import { aloneWithSchedules } from './alone-with-schedules.ts';

export interface TemplateRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly body: KeptDesign;
  readonly version: number;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

/** What people enter. */
export interface TemplateEntry {
  readonly name: string;
  readonly body: KeptDesign;
}

export interface GroupOfFarm {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly is_lateral: boolean;
  readonly wal_config: WaterApplication | null;
}

/** A sprinkler in service, in a group. */
export interface UnitOfGroup {
  readonly groupId: number;
  readonly uid: string;
  readonly name: string;
  readonly serialNumber: string;
  readonly lat: number | null;
  readonly lng: number | null;
}

/** Who does something and when. */
interface Doer {
  readonly accountId: number | null;
  readonly now: Date;
}

const columns = ['id', 'uid', 'name', 'body', 'version', 'updated_at', 'deleted_at'] as const;

/** Every query stays on the farm; those that write want the transaction. */
export function createTemplatesRepo(db: Db) {
  const live = (from: Db, farmId: number) =>
    from
      .selectFrom('schedule_template')
      .select(columns)
      .where('farm_id', '=', farmId)
      .where('deleted_at', 'is', null);

  return {
    inTransaction: <T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> =>
      aloneWithSchedules(db, farmId, work),

    list: (farmId: number): Promise<TemplateRow[]> => live(db, farmId).execute(),

    find: (farmId: number, uid: string): Promise<TemplateRow | undefined> =>
      live(db, farmId).where('uid', '=', uid).executeTakeFirst(),

    /** A deleted one too. */
    known: (trx: Db, farmId: number, uid: string): Promise<TemplateRow | undefined> =>
      trx
        .selectFrom('schedule_template')
        .select(columns)
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .executeTakeFirst(),

    async count(trx: Db, farmId: number): Promise<number> {
      const { count } = await trx
        .selectFrom('schedule_template')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Of those that aren't deleted, upper and lower case alike. */
    async hasName(trx: Db, farmId: number, name: string, besides: string): Promise<boolean> {
      const row = await live(trx, farmId)
        .where(sql`lower(name)`, '=', sql`lower(${name})`)
        .where('uid', '<>', besides)
        .executeTakeFirst();
      return row !== undefined;
    },

    insert: (
      trx: Db,
      farmId: number,
      uid: string,
      { name, body }: TemplateEntry,
      { accountId, now }: Doer,
    ): Promise<TemplateRow> =>
      trx
        .insertInto('schedule_template')
        .values({
          farm_id: farmId,
          uid,
          name,
          body: JSON.stringify(body),
          created_by: accountId,
          updated_by: accountId,
          created_at: now,
          updated_at: now,
        })
        .returning(columns)
        .executeTakeFirstOrThrow(),

    /** One version further. */
    update: (
      trx: Db,
      farmId: number,
      row: TemplateRow,
      { name, body }: TemplateEntry,
      { accountId, now }: Doer,
    ): Promise<TemplateRow> =>
      trx
        .updateTable('schedule_template')
        .set({
          name,
          body: JSON.stringify(body),
          version: row.version + 1,
          updated_by: accountId,
          updated_at: now,
        })
        .where('farm_id', '=', farmId)
        .where('id', '=', row.id)
        .returning(columns)
        .executeTakeFirstOrThrow(),

    groups: (farmId: number): Promise<GroupOfFarm[]> =>
      db
        .selectFrom('device_group')
        .select(['id', 'uid', 'name', 'is_lateral', 'wal_config'])
        .where('farm_id', '=', farmId)
        .execute(),

    /** In service, no spares. */
    units: (farmId: number): Promise<UnitOfGroup[]> =>
      db
        .selectFrom('device_group_member as m')
        .innerJoin('device as d', (join) =>
          join.onRef('d.farm_id', '=', 'm.farm_id').onRef('d.id', '=', 'm.device_id'),
        )
        .select([
          'm.group_id as groupId',
          'd.uid',
          'd.name',
          'd.serial_number as serialNumber',
          'd.lat',
          'd.lng',
        ])
        .where('m.farm_id', '=', farmId)
        .where('d.kind', '=', 'sprinkler')
        .where('d.deleted_at', 'is', null)
        .where(sql<boolean>`(d.settings->>'outOfService')::boolean is not true`)
        .where(sql<boolean>`(d.settings->>'isSpareUnit')::boolean is not true`)
        .execute(),

    /** Those that can't be restored any more. */
    async forget(before: Date): Promise<void> {
      await db.deleteFrom('schedule_template').where('deleted_at', '<', before).execute();
    },
  };
}
export type TemplatesRepo = ReturnType<typeof createTemplatesRepo>;
