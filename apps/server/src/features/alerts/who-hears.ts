import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Touched } from './life-writer.ts';
import { refusersOf } from './refused-escalations.ts';

export const isAnEnd = ({ what }: Pick<Touched, 'what'>) => what === 'ended' || what === 'answered';

/**
 * Everybody who may hear of the farm, or those whom the alert names first; more of them, who take that, once nobody answered. An end,
 * and who is on it, hear those who were told the beginning.
 */
export async function whoHears(trx: Db, farmId: number, touched: Touched, now: Date): Promise<number[]> {
  if (touched.what === 'came again' || touched.isQuiet === true) return [];
  const mayHear = await accountsWithFlag(trx, farmId, 'notifications', now);
  if (isAnEnd(touched)) return whoHeard(trx, farmId, touched, mayHear);
  const { people, more, isEscalated } = await namedPeople(trx, farmId, touched.id);
  const first = those(mayHear, people);
  if (touched.what !== 'escalated' && !isEscalated) return first;
  const refusers = await refusersOf(trx, mayHear);
  const next = those(
    mayHear.filter((accountId) => !refusers.has(accountId)),
    more,
  );
  const others = next.filter((accountId) => !first.includes(accountId));
  if (touched.what !== 'escalated') return [...first, ...others];
  // Who were told first may be all there are: then they are asked once more.
  return others.length > 0 ? others : next;
}

/** Where nobody who was named is told of the farm any more, or takes escalations, everybody else is: silence would be worse. */
function those(mayHear: readonly number[], named: readonly number[]): number[] {
  const chosen = mayHear.filter((accountId) => named.includes(accountId));
  return chosen.length > 0 ? chosen : [...mayHear];
}

async function namedPeople(trx: Db, farmId: number, incidentId: string) {
  const row = await trx
    .selectFrom('alert_incident as i')
    .leftJoin('alert_rule as r', (join) =>
      join.onRef('r.farm_id', '=', 'i.farm_id').onRef('r.id', '=', 'i.rule_id'),
    )
    .select(['r.people', 'r.escalate_people', 'i.escalated_at'])
    .where('i.farm_id', '=', farmId)
    .where('i.id', '=', incidentId)
    .executeTakeFirst();
  return {
    people: row?.people ?? [],
    more: row?.escalate_people ?? [],
    isEscalated: (row?.escalated_at ?? null) !== null,
  };
}

export const notifiedSteps = (trx: Db, farmId: number, incidentId: string) =>
  trx
    .selectFrom('alert_notice as n')
    .innerJoin('alert_step as s', (join) =>
      join.onRef('s.farm_id', '=', 'n.farm_id').onRef('s.id', '=', 'n.step_id'),
    )
    .distinct()
    .where('n.farm_id', '=', farmId)
    .where('s.incident_id', '=', incidentId);

/** What people were told of it since it last was over. */
export const notifiedSince = (trx: Db, farmId: number, incidentId: string) =>
  notifiedSteps(trx, farmId, incidentId).where(
    sql<boolean>`s.id > coalesce((select max(o.id) from alert_step o where o.farm_id = ${farmId}
      and o.incident_id = ${incidentId} and o.what = 'ended'), 0)`,
  );

/** Of what came again and was not told, nobody hears the end either: those hear who were told since it last was over. */
async function whoHeard(
  trx: Db,
  farmId: number,
  { id, by }: Touched,
  mayHear: readonly number[],
): Promise<number[]> {
  const rows = await notifiedSince(trx, farmId, id).select('n.account_id').execute();
  const heard = new Set(rows.map(({ account_id }) => account_id));
  return mayHear.filter((accountId) => heard.has(accountId) && accountId !== by?.accountId);
}
