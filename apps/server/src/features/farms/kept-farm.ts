import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { packed, unpacked } from '../changes/change-batch.ts';
import type { By } from '../devices/record-change.ts';

/**
 * Rows that leave with a farm, since they let somebody or something in or would be found without asking for the farm. In the
 * order in which they can go; they come back the other way round.
 */
export const KEPT_TABLES = [
  'share',
  'device_group_member',
  'device_group',
  'gateway_key',
  'farm_clock_change',
] as const;
type KeptTable = (typeof KEPT_TABLES)[number];
type Row = Readonly<Record<string, unknown>>;
export type KeptRows = Record<KeptTable, Row[]>;

/** What a deleted farm had, by which it comes back within 30 days. */
export interface KeptFarm {
  readonly rows: KeptRows;
  /** Ids of those that it had until then. */
  readonly devices: readonly number[];
  readonly integrationKeys: readonly number[];
}

const ACT = 'delete farm';

/** Takes the rows out of their tables. */
export async function takeRows(trx: Db, farmId: number): Promise<KeptRows> {
  const rows: Partial<KeptRows> = {};
  for (const table of KEPT_TABLES) rows[table] = await take(trx, table, farmId);
  return rows as KeptRows;
}

async function take(trx: Db, table: KeptTable, farmId: number): Promise<Row[]> {
  const { rows } = await sql<{ row: Row }>`with gone as (
      delete from ${sql.table(table)} where farm_id = ${farmId} returning *)
    select to_jsonb(gone) as row from gone`.execute(trx);
  return rows.map(({ row }) => row);
}

/** What has come into the way of one of these since stays; that one is left out. */
export async function putRows(trx: Db, rows: KeptRows): Promise<void> {
  for (const table of KEPT_TABLES.toReversed())
    await sql`insert into ${sql.table(table)} overriding system value
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows[table])}::jsonb)
      on conflict do nothing`.execute(trx);
}

export async function keepFarm(trx: Db, farm: FarmRow, kept: KeptFarm, by: By): Promise<void> {
  await trx
    .insertInto('change_batch')
    .values({
      farm_id: farm.id,
      uid: newUid(by.now),
      at: by.now,
      account_id: by.accountId,
      act: ACT,
      title: `${farm.name} deleted`,
      records: await packed(kept),
      undoes: null,
    })
    .execute();
}

/** Null where it can't come back: it did, or is too old. */
export async function lockKept(trx: Db, farmId: number) {
  const row = await trx
    .selectFrom('change_batch')
    .select(['id', 'at', 'records', 'account_id'])
    .where('farm_id', '=', farmId)
    .where('act', '=', ACT)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row ? { ...row, kept: await unpacked<KeptFarm>(row.records) } : null;
}

/** Farms that were deleted since then: those of these owners, and those that this account deleted; the newest first. */
export function deletedFarms(db: Db, accountId: number, ownerIds: readonly number[], since: Date) {
  const [mine, owned] = [
    sql<number>`(select farm_id from change_batch where act = ${sql.lit(ACT)} and account_id = ${accountId})`,
    sql<number>`(select id from farm where owner_id = any(${ownerIds}) and deleted_at is not null)`,
  ];
  return db
    .selectFrom('farm')
    .innerJoin('change_batch as batch', 'batch.farm_id', 'farm.id')
    .leftJoin('account as by', 'by.id', 'batch.account_id')
    .select([
      'farm.id',
      'farm.uid',
      'farm.name',
      'farm.owner_id',
      'batch.at',
      'batch.records',
      'by.name as by',
    ])
    .where('farm.deleted_at', 'is not', null)
    .where('batch.act', '=', ACT)
    .where('batch.undone_at', 'is', null)
    .where('batch.at', '>=', since)
    .where((eb) => eb.or([eb('farm.id', 'in', mine), eb('farm.id', 'in', owned)]))
    .orderBy('batch.at', 'desc')
    .orderBy('farm.id')
    .execute();
}
