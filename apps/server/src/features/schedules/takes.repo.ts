import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { waterOf } from '../waterings/unit-rates.ts';

/** What the sprinklers take that are in just these groups. */
export interface TakeRow {
  readonly groupUIDs: string[];
  readonly sprinklers: number;
  readonly unknown: number;
  readonly litresADay: number;
}

/** What sprinklers take: by what they hold; by what was last sent to those of which that isn't known. */
export function createTakesRepo(db: Db) {
  return {
    groups: (farmId: number) =>
      db
        .selectFrom('device_group')
        .select(['uid as groupUID', 'name'])
        .where('farm_id', '=', farmId)
        .execute(),

    /** Each sprinkler in service once, together with those that are in the same groups. */
    async of(farmId: number): Promise<TakeRow[]> {
      const { rows } = await sql<TakeRow>`
        select u.groups as "groupUIDs", count(*)::int as sprinklers, count(*) filter (where not u.is_known)::int as unknown,
          coalesce(sum(u.minutes * 60 * (u.water->>'sprinklerFlow')::float8), 0)::float8 as "litresADay"
        from (
          select m.groups, w.is_known, ${sql.raw(waterOf('d.farm_id', 'd.id'))} as water,
            (select coalesce(sum((e->>'duration')::float8), 0)
              from jsonb_array_elements(case when w.is_known then h.entries else p.entries end) e)
              / greatest(1, coalesce(case when w.is_known then h.cycle_days else p.cycle_days end, 1)) as minutes
          from (select m.device_id, array_agg(g.uid order by g.uid) as groups
            from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
            where m.farm_id = ${farmId} group by m.device_id) m
          join device d on d.farm_id = ${farmId} and d.id = m.device_id and d.kind = 'sprinkler' and d.deleted_at is null
            and not coalesce((d.settings->>'outOfService')::boolean, false)
          left join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null
          left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id
          cross join lateral (select h.entries is not null as is_known) w) u
        group by u.groups`.execute(db);
      return rows;
    },
  };
}
export type TakesRepo = ReturnType<typeof createTakesRepo>;
