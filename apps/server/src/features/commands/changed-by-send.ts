import { sql } from 'kysely';
import { typesThat } from '@headrace/device/commands';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

/** A unit that a send gave another schedule, or may have: with what it was to water by before. */
export interface ChangedUnit {
  readonly deviceId: number;
  readonly name: string;
  /** It took it; else it is out, or failed and may have taken it all the same. */
  readonly isAnswered: boolean;
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
    select p.device_id as "deviceId", d.name, u.state in ('done', 'skipped') as "isAnswered", case when p.before is not null then jsonb_build_object('setUid', s.uid,
      'entries', p.before->'entries', 'cycleDays', p.before->'cycle_days',
      'scheduleGroup', p.before->'schedule_group') end as before
    from command_unit u join unit_program p on p.farm_id = u.farm_id and p.device_id = u.device_id and p.command_id = u.command_id
    join device d on d.farm_id = p.farm_id and d.id = p.device_id and d.deleted_at is null
    left join schedule_set s on s.farm_id = p.farm_id and s.id = (p.before->>'set_id')::int and s.deleted_at is null
    where u.farm_id = ${farmId} and u.command_id = ${commandId} and u.state <> 'queued'
      and (p.before->>'crc' is distinct from p.crc or (p.before->>'cycle_days')::int is distinct from p.cycle_days)
    order by p.device_id`.execute(db);
  return rows;
}

/** A unit that was inhibited before a send, which was for such units too and so let it water. */
export interface LetWater {
  readonly deviceId: number;
  readonly uid: string;
  readonly name: string;
}

// Who must not water by a person's word and who said itself that it was inhibited; not who was uninhibited or sent something since.
const wasInhibited = sql`(exists (select from unit_stop s
    where s.farm_id = u.farm_id and s.device_id = u.device_id and s.lifted_by = u.command_id)
  or (not exists (select from unit_stop s where s.farm_id = u.farm_id and s.device_id = u.device_id
      and (s.lifted_by is null or s.since > c.created_at))
    and exists (select from unit_held h where h.farm_id = u.farm_id and h.device_id = u.device_id
      and h.stopped_at <= c.created_at and coalesce(h.until, 'infinity') > c.created_at)))`;

export async function readLetWater(db: Db, farmId: number, commandId: number): Promise<LetWater[]> {
  const { rows } = await sql<LetWater>`
    select d.id as "deviceId", d.uid, d.name
    from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
    join unit_program p on p.farm_id = u.farm_id and p.device_id = u.device_id and p.command_id = u.command_id
    join device d on d.farm_id = u.farm_id and d.id = u.device_id and d.deleted_at is null
    where u.farm_id = ${farmId} and u.command_id = ${commandId} and u.state <> 'queued' and jsonb_array_length(u.entries) > 0
      and coalesce((c.payload->>'alsoInhibited')::boolean, false) and ${wasInhibited}
      and not exists (select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
        where x.farm_id = u.farm_id and x.device_id = u.device_id and x.command_id > u.command_id
          and xc.type in (${sql.raw(typesThat('uninhibits').join(', '))}) and not (x.state = 'cancelled' and x.sending = 0))
    order by d.name, d.id`.execute(db);
  return rows;
}
