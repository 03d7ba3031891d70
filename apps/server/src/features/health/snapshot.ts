import { sql } from 'kysely';
import { sprinklerGateways } from '@headrace/contract/gateway-types';
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
    await keepSpans(trx, farmId, day, kinds);
    // A swap is no state: it is of its day alone.
    await sql`insert into unit_span (farm_id, kind, device_id, since, until)
      select distinct u.farm_id, ${historyType.swaps}::smallint, u.device_id, ${day}::date, ${day}::date + 1
      from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
      where u.farm_id = ${farmId} and c.type = ${commandTypes.Replace} and u.state = 'done'
        and u.at >= ${new Date(from)} and u.at < ${new Date(to)}`.execute(trx);
    await keepHops(trx, farmId, day, to);
  });
}

interface UnitKind {
  readonly uid: string;
  readonly kind: number;
}

/** Ends the spans of those that are no more of a kind, and begins those of the new ones: on most days they are few. */
async function keepSpans(trx: Db, farmId: number, day: string, now: readonly UnitKind[]): Promise<void> {
  const { rows: open } = await sql<UnitKind & { device_id: number }>`
    select s.device_id, d.uid, s.kind from unit_span s left join device d on d.farm_id = s.farm_id and d.id = s.device_id
    where s.farm_id = ${farmId} and s.until is null`.execute(trx);
  const [before, after] = [new Set(open.map(nameOf)), new Set(now.map(nameOf))];
  const ended = open.filter((one) => !after.has(nameOf(one)));
  const begun = now.filter((one) => !before.has(nameOf(one)));
  await sql`update unit_span s set until = ${day}::date
    from unnest(${ended.map(({ device_id }) => device_id)}::int[], ${kindsOf(ended)}::smallint[]) n(device_id, kind)
    where s.farm_id = ${farmId} and s.device_id = n.device_id and s.kind = n.kind and s.until is null`.execute(
    trx,
  );
  await sql`insert into unit_span (farm_id, kind, device_id, since)
    select d.farm_id, n.kind, d.id, ${day}::date
    from unnest(${begun.map(({ uid }) => uid)}::text[], ${kindsOf(begun)}::smallint[]) n(uid, kind)
    join device d on d.farm_id = ${farmId} and d.uid = n.uid`.execute(trx);
}

const nameOf = ({ uid, kind }: UnitKind) => `${uid} ${kind}`;
const kindsOf = (all: readonly UnitKind[]) => all.map(({ kind }) => kind);

/** Older words say nothing of how the mesh is now, ms. */
const HOPS_AGE_MS = 7 * 86_400_000;

/** Over how many steps the units in service are reached, by the gateway that hears them. */
async function keepHops(trx: Db, farmId: number, day: string, at: number): Promise<void> {
  await sql`insert into radio_day (farm_id, gateway_id, day, hops_units, hops)
    select d.farm_id, coalesce(d.gateway_id, g.id), ${day}::date, count(*), sum(l.valid_value)
    from device d
    join series s on s.farm_id = d.farm_id and s.device_id = d.id and s.metric = 'hops'
    join latest l on l.farm_id = s.farm_id and l.series_id = s.id
    left join lateral (select id from device g where g.farm_id = d.farm_id and g.kind = 'gateway' and g.deleted_at is null
      order by g.type = any(${[...sprinklerGateways]}::int[]) desc, g.id limit 1) g on d.gateway_id is null
    where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null and l.valid_at >= ${new Date(at - HOPS_AGE_MS)}
      and d.settings->>'isSpareUnit' is distinct from 'true' and d.settings->>'outOfService' is distinct from 'true'
      and coalesce(d.gateway_id, g.id) is not null
    group by d.farm_id, coalesce(d.gateway_id, g.id)
    on conflict (farm_id, gateway_id, day) do update set hops_units = excluded.hops_units, hops = excluded.hops`.execute(
    trx,
  );
}
