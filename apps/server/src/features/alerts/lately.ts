import { type AlertsLately, TRIAL_DAYS } from '@headrace/contract/alert-trial';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { keyOfFloods } from './flood-message.ts';

const LOUDEST = 3;

/** How much one person was told of a farm in 30 days, by day and by alert. */
export async function readLately(db: Db, farm: FarmRow, accountId: number, now: Date): Promise<AlertsLately> {
  const zone = toZone(farm);
  const today = dayStart(zone, now.getTime());
  const since = new Date(addDays(zone, today, 1 - TRIAL_DAYS));
  const [times, incidents] = await Promise.all([
    noticeTimes(db, farm, accountId, since),
    incidentsOf(db, farm.id, since),
  ]);
  const counts = new Map<string, number>();
  for (const at of times) {
    const day = dayText(zone, dayStart(zone, at.getTime()));
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const sum = (name: 'told' | 'short' | 'answered') => incidents.reduce((all, row) => all + row[name], 0);
  return {
    days: Array.from({ length: TRIAL_DAYS }, (_none, nth) => {
      const day = dayText(zone, addDays(zone, today, 1 - TRIAL_DAYS + nth));
      return { day, told: counts.get(day) ?? 0 };
    }),
    incidents: sum('told'),
    short: sum('short'),
    answered: sum('answered'),
    loudest: incidents
      .slice(0, LOUDEST)
      .map(({ uid, name, told, short }) => ({ alertUID: uid, name, told, short })),
  };
}

/** Each message to this person counts, the bell too; who is on it does not. Of a flood its one message counts. */
async function noticeTimes(db: Db, farm: FarmRow, accountId: number, since: Date): Promise<Date[]> {
  const rows = await db
    .selectFrom('alert_notice as n')
    .innerJoin('alert_step as s', (join) =>
      join.onRef('s.farm_id', '=', 'n.farm_id').onRef('s.id', '=', 'n.step_id'),
    )
    .select('s.at')
    .where('n.farm_id', '=', farm.id)
    .where('n.account_id', '=', accountId)
    .where('s.at', '>=', since)
    .where('s.what', '!=', 'answered')
    .unionAll(
      db
        .selectFrom('notification')
        .select('at')
        .where('account_id', '=', accountId)
        .where('at', '>=', since)
        .where('dedupe_key', 'like', `${keyOfFloods(farm)}%`),
    )
    .execute();
  return rows.map(({ at }) => new Date(at));
}

interface Loud {
  readonly uid: string | null;
  readonly name: string;
  readonly told: number;
  readonly short: number;
  readonly answered: number;
}

/** By alert, the loudest first. */
async function incidentsOf(db: Db, farmId: number, since: Date): Promise<Loud[]> {
  const { rows } = await sql<Loud>`
    select r.uid, coalesce(r.name, max(i.rule_name)) as name, count(*)::int as told,
      (count(*) filter (where i.answered_at is not null))::int as answered,
      (count(*) filter (where i.ended_at - (select min(e.since) from alert_episode e
        where e.farm_id = i.farm_id and e.incident_id = i.id) <= interval '10 min'))::int as short
    from alert_incident i left join alert_rule r on r.farm_id = i.farm_id and r.id = i.rule_id
    where i.farm_id = ${farmId} and i.opened_at >= ${since} and i.seen_late_at is null
    group by r.uid, r.name, case when r.uid is null then i.rule_name end
    order by told desc, name`.execute(db);
  return rows;
}
