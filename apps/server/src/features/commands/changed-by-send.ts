import { sql } from 'kysely';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

/** A unit that a send gave another schedule, or may have: with what it was to water by before. */
export interface ChangedUnit {
  readonly deviceId: number;
  /** Null: it was never sent anything. */
  readonly before: {
    readonly setUid: string | null;
    readonly entries: readonly ScheduleEntry[];
    readonly cycleDays: number;
    readonly scheduleGroup: string;
  } | null;
}

/** Those that answered and those that are still out; not those that the send was taken back for, or that were sent something since. */
export async function readChanged(db: Db, farmId: number, commandId: number): Promise<ChangedUnit[]> {
  const { rows } = await sql<ChangedUnit>`
    select p.device_id as "deviceId", case when p.before is not null then jsonb_build_object('setUid', s.uid,
      'entries', p.before->'entries', 'cycleDays', p.before->'cycle_days',
      'scheduleGroup', p.before->'schedule_group') end as before
    from command_unit u join unit_program p on p.farm_id = u.farm_id and p.device_id = u.device_id and p.command_id = u.command_id
    left join schedule_set s on s.farm_id = p.farm_id and s.id = (p.before->>'set_id')::int and s.deleted_at is null
    where u.farm_id = ${farmId} and u.command_id = ${commandId} and u.state <> 'queued'
      and (p.before->>'crc' is distinct from p.crc or (p.before->>'cycle_days')::int is distinct from p.cycle_days)
    order by p.device_id`.execute(db);
  return rows;
}
