import { type Kysely, sql } from 'kysely';

/**
 * The register took farms' words for the operator's where their device was gone, or for those of the farm that had it once. What is
 * on a farm now is that farm's word, unless it has one; what is left without a farm is the demo's, or nobody's and goes.
 * MACs that a farm got from others lately are found without reading its whole history.
 */
const statements = [
  `with known as (
    select distinct on (lower(r.serial_number), r.kind, d.farm_id) r.ctid as row, d.farm_id
    from registry r
    join device d on d.mac = r.mac and d.deleted_at is null
    join farm f on f.id = d.farm_id and not f.is_demo
    where r.claimed_by is distinct from d.farm_id
      and not exists (select from registry o where o.claimed_by = d.farm_id
        and (o.mac = r.mac or (lower(o.serial_number) = lower(r.serial_number) and o.kind = r.kind)))
    order by lower(r.serial_number), r.kind, d.farm_id, r.claimed_by nulls first
  )
  update registry r set claimed_by = known.farm_id from known where r.ctid = known.row`,
  `delete from registry r where r.claimed_by is null and not exists (
    select from device d join farm f on f.id = d.farm_id where d.mac = r.mac and f.is_demo)`,
  "create index change_log_contested on change_log (farm_id, at) where what = 'contested a MAC address'",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
