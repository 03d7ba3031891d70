import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** When tanks leaked that alerts told of. */
export interface FarmLeak {
  readonly tank: string;
  readonly since: Date;
  /** Null: it goes on, or nobody knows when it ended. */
  readonly until: Date | null;
  /** It went on then, and its alert was deleted, changed or switched off; null: it is watched, or was to its end. */
  readonly watchedUntil: Date | null;
}

export interface FarmLeaks {
  /** The newest first, so many at most. */
  readonly leaks: readonly FarmLeak[];
  readonly count: number;
  /** An alert watches for them now. */
  readonly isWatched: boolean;
}

interface Asked {
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly most: number;
}

/** Leaks of a farm's tanks that went on in a time. What was no leak after all within the time of its alert was never told, and isn't here. */
export async function readLeaks(db: Db, farmId: number, { from, to, most }: Asked): Promise<FarmLeaks> {
  const { rows } = await sql<FarmLeak & { count: number }>`
    select coalesce(d.name, '') as tank, e.since,
      case when e.facts->>'unwatched' is null then e.ended_at end as until,
      case when e.facts->>'unwatched' is not null then e.ended_at end as "watchedUntil", (count(*) over ())::int as count
    from alert_episode e
    join alert_incident i on i.farm_id = e.farm_id and i.id = e.incident_id and i.kind = 'TankLeak'
    left join device d on d.farm_id = e.farm_id and d.id = e.device_id
    where e.farm_id = ${farmId} and e.since < ${new Date(to)} and (e.ended_at is null or e.ended_at > ${new Date(from)})
    order by e.since desc, e.id desc limit ${most}`.execute(db);
  const rule = await db
    .selectFrom('alert_rule')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'TankLeak')
    .where('enabled', '=', true)
    .limit(1)
    .executeTakeFirst();
  return {
    leaks: rows.map(({ count: _count, ...leak }) => leak),
    count: rows[0]?.count ?? 0,
    isWatched: rule !== undefined,
  };
}
