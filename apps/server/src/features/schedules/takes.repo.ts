import { sql } from 'kysely';
import type { GroupTake } from '@headrace/contract/restriction';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { Db } from '../../db/client.ts';

/** What each group takes: by what its sprinklers hold; by what was last sent to those of which that isn't known. */
export function createTakesRepo(db: Db) {
  return {
    async of(farmId: number): Promise<GroupTake[]> {
      const { rows } = await sql<GroupTake>`
        select g.uid as "groupUID", g.name, count(d.id)::int as sprinklers,
          count(*) filter (where w.is_unknown)::int as unknown,
          coalesce(sum(w.minutes * 60 * coalesce((g.wal_config->>'sprinklerFlow')::float8,
            (f.wal_config->>'sprinklerFlow')::float8)), 0)::float8 as "litresADay"
        from device_group g
        join farm f on f.id = g.farm_id
        left join device_group_member m on m.farm_id = g.farm_id and m.group_id = g.id
        left join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.kind = 'sprinkler' and d.deleted_at is null
          and not coalesce((d.settings->>'outOfService')::boolean, false)
        left join unit_held h on h.farm_id = d.farm_id and h.device_id = d.id and h.until is null
        left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id
        left join lateral (select h.device_id is not null and h.entries is null as is_unknown,
            (select coalesce(sum((e->>'duration')::float8), 0) from jsonb_array_elements(coalesce(h.entries, p.entries)) e)
              / greatest(1, coalesce(h.cycle_days, p.cycle_days, 1)) as minutes
          where d.id is not null) w on true
        where g.farm_id = ${farmId}
        group by g.id, g.uid, g.name, g.wal_config, f.wal_config`.execute(db);
      return rows.toSorted((one, other) => compareNatural(one.name, other.name));
    },
  };
}
export type TakesRepo = ReturnType<typeof createTakesRepo>;
