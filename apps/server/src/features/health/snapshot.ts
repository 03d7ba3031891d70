import { sql } from 'kysely';
import { commandTypes } from '@headrace/contract/command-types';
import type { IpcStatus } from '@headrace/contract/groups';
import { healthOf, historyType, historyTypesOf } from '@headrace/contract/rules/health-figures';
import type { Db } from '../../db/client.ts';
import type { EndedDay } from './farm-days.ts';

/**
 * Keeps how a farm's sprinklers were at the end of a day: the counts, and the spans of those that became of a kind or are no
 * more. Does nothing the second time for the same day. `now` in epoch ms.
 */
export async function keepSnapshot(
  db: Db,
  farmId: number,
  { day, from, to }: EndedDay,
  units: readonly IpcStatus[],
  now: number,
): Promise<void> {
  const counts = healthOf(units);
  const kinds = units.flatMap((unit) => historyTypesOf(unit, now).map((kind) => ({ uid: unit.id, kind })));
  await db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`
      insert into health_day (farm_id, day, in_contact, clock_ok, battery_ok, schedule_ok)
      values (${farmId}, ${day}::date, ${counts.inContact}, ${counts.clockOk}, ${counts.batteryOk}, ${counts.scheduleOk})
      on conflict do nothing`.execute(trx);
    if (numAffectedRows === 0n) return;
    const uids = kinds.map(({ uid }) => uid);
    const numbers = kinds.map(({ kind }) => kind);
    const isNow = sql`select d.id as device_id, n.kind
      from unnest(${uids}::text[], ${numbers}::smallint[]) n(uid, kind)
      join device d on d.farm_id = ${farmId} and d.uid = n.uid`;
    await sql`with n as (${isNow})
      update unit_span s set until = ${day}::date where s.farm_id = ${farmId} and s.until is null
        and not exists (select from n where n.device_id = s.device_id and n.kind = s.kind)`.execute(trx);
    await sql`with n as (${isNow})
      insert into unit_span (farm_id, kind, device_id, since)
      select ${farmId}, n.kind, n.device_id, ${day}::date from n
      where not exists (select from unit_span s where s.farm_id = ${farmId} and s.kind = n.kind
        and s.device_id = n.device_id and s.until is null)`.execute(trx);
    // A swap is no state: it is of its day alone.
    await sql`insert into unit_span (farm_id, kind, device_id, since, until)
      select distinct u.farm_id, ${historyType.swaps}::smallint, u.device_id, ${day}::date, ${day}::date + 1
      from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
      where u.farm_id = ${farmId} and c.type = ${commandTypes.Replace} and u.state = 'done'
        and u.at >= ${new Date(from)} and u.at < ${new Date(to)}`.execute(trx);
  });
}
