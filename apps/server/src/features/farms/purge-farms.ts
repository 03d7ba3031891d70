import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Database } from '../../db/schema.ts';
import { UNDO_DAYS } from '../changes/change-batch.ts';

/** Tables by farm whose rows go with the series that they are of. */
const OF_SERIES = ['reading', 'reading_hour', 'reading_day', 'level_day'] as const;
/** Tables by farm that are emptied. */
const EMPTIED = [
  'alert_flood',
  'alert_pause',
  'alert_digest',
  'alert_episode',
  'alert_incident',
  'alert_rule',
  'device_fact',
  'unit_held',
  'unit_program',
  'unit_stop',
  'paddock_hold_unit',
  'paddock_hold',
  'unit_span',
  'health_day',
  'last_uplink',
  'uplink_due',
  'uplink',
  'uplink_count',
  'decode_anew',
  'long_job',
  'gateway_pace',
  'radio_day',
  'change_batch',
  'farm_backup',
  'farm_backup_failure',
  'kept_message',
  'schedule_template',
  'farm_supply',
  'advice_settings',
  'weather_day',
  'applied_day',
  'advice_day',
  'take_pack',
  'take_meter_day',
  'take_note',
  'take_reading',
  'take_meter',
  'water_take',
  // After the programmes: what becomes of them is noted there.
  'unit_grouping',
] as const;
/** Tables by farm that are emptied once its series are gone, with what hangs on their rows. */
const RECORDS = ['watering_run', 'command', 'schedule_set', 'codec', 'integration_key', 'device'] as const;

/**
 * Every table by farm, and what becomes of its rows 30 days after the farm was deleted: a new one has to be named here.
 * - goes: erased here; - gone: left with the farm itself; - ends: by a time of its own, on farms that are there as well;
 * - stays: with the deleted farm's row, for the owner's account.
 */
export const fateOfTables: Readonly<Record<string, 'goes' | 'gone' | 'ends' | 'stays'>> = {
  series: 'goes',
  latest: 'goes',
  reading: 'goes',
  reading_hour: 'goes',
  reading_day: 'goes',
  level_day: 'goes',
  device_fact: 'goes',
  last_uplink: 'goes',
  uplink: 'goes',
  uplink_due: 'goes',
  uplink_count: 'goes',
  decode_anew: 'goes',
  long_job: 'goes',
  gateway_pace: 'goes',
  radio_day: 'goes',
  change_batch: 'goes',
  farm_backup: 'goes',
  farm_backup_failure: 'goes',
  share: 'gone',
  device_group: 'gone',
  device_group_member: 'gone',
  unit_grouping: 'goes',
  gateway_key: 'gone',
  farm_clock_change: 'gone',
  command: 'goes',
  command_unit: 'goes',
  command_step: 'goes',
  command_seen: 'goes',
  dead_letter: 'ends',
  dead_letter_message: 'ends',
  kept_message: 'goes',
  farm_usage: 'ends',
  device: 'goes',
  change_log: 'stays',
  access_log: 'stays',
  support_session: 'stays',
  gateway_state: 'goes',
  gateway_io: 'goes',
  integration_key: 'goes',
  config_update: 'goes',
  codec: 'goes',
  codec_version: 'goes',
  schedule_template: 'goes',
  farm_supply: 'goes',
  advice_settings: 'goes',
  weather_day: 'goes',
  applied_day: 'goes',
  advice_day: 'goes',
  schedule_set: 'goes',
  schedule_set_unit: 'goes',
  watering_run: 'goes',
  unit_program: 'goes',
  unit_held: 'goes',
  unit_stop: 'goes',
  paddock_hold: 'goes',
  paddock_hold_unit: 'goes',
  unit_span: 'goes',
  health_day: 'goes',
  alert_rule: 'goes',
  alert_incident: 'goes',
  alert_input: 'goes',
  alert_episode: 'goes',
  alert_step: 'goes',
  alert_notice: 'goes',
  alert_flood: 'goes',
  answer_key: 'goes',
  alert_pause: 'goes',
  alert_digest: 'goes',
  water_take: 'goes',
  take_meter: 'goes',
  take_reading: 'goes',
  take_note: 'goes',
  take_pack: 'goes',
  take_meter_day: 'goes',
};

/** Records that are removed by a statement. */
const RECORDS_A_STATEMENT = 1000;
/** Series that are removed in one go, each in a transaction of its own. */
const SERIES_A_RUN = 500;

/**
 * Erases farms that were deleted more than 30 days ago: what was measured, then devices and what else was entered. The farm's
 * name and its history of changes stay, for the owner's account. The number of series that it removed; what is left over is
 * the next run's.
 */
export async function purgeFarms(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNDO_DAYS * 86_400_000);
  const gone = await db
    .selectFrom('series')
    .innerJoin('farm', 'farm.id', 'series.farm_id')
    .select(['series.farm_id', 'series.id'])
    .where('farm.deleted_at', '<', before)
    .orderBy('series.farm_id')
    .orderBy('series.id')
    .limit(SERIES_A_RUN)
    .execute();
  for (const { farm_id, id } of gone)
    await db.transaction().execute((trx) => purgeSeries(trx, farm_id, id, before));
  for (const table of EMPTIED)
    await sql`with gone as (select id from farm where deleted_at < ${before} for share)
      delete from ${sql.table(table)} t using gone where gone.id = t.farm_id`.execute(db);
  for (const table of RECORDS) while ((await eraseRecords(db, table, before)) === RECORDS_A_STATEMENT);
  return gone.length;
}

async function eraseRecords(db: Db, table: (typeof RECORDS)[number], before: Date): Promise<number> {
  const { numAffectedRows } = await sql`with gone as (select id from farm f where deleted_at < ${before}
      and not exists (select from series s where s.farm_id = f.id) for share)
    delete from ${sql.table(table)} where (farm_id, id) in (select t.farm_id, t.id from ${sql.table(table)} t
      join gone on gone.id = t.farm_id limit ${RECORDS_A_STATEMENT})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Nothing of a farm that is being restored. */
async function purgeSeries(trx: Kysely<Database>, farmId: number, id: number, before: Date): Promise<void> {
  const farm = await trx
    .selectFrom('farm')
    .select('id')
    .where('id', '=', farmId)
    .where('deleted_at', '<', before)
    .forShare()
    .executeTakeFirst();
  if (!farm) return;
  for (const table of OF_SERIES)
    await sql`delete from ${sql.table(table)} where farm_id = ${farmId} and series_id = ${id}`.execute(trx);
  await trx.deleteFrom('series').where('farm_id', '=', farmId).where('id', '=', id).execute();
}
