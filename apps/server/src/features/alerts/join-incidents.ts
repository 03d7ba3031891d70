import { type AlertClass, type AlertKind, isWorse } from '@headrace/contract/rules/alerts/alert-kinds';
import { nextRepeat } from '@headrace/contract/rules/alerts/repeats';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Touched } from './life-writer.ts';
import type { Change } from './plan.ts';
import { COMES_AND_GOES, COMES_AND_GOES_MS, MOMENTS_NOTIFIED } from './rule-life.ts';

/**
 * The fourth within six hours is told as one that comes and goes, and those after it aren't told: they are the same incident again. Of
 * moments, each of which is news, so are the twelfth and those after it.
 */
export async function joinComingAndGoing(
  trx: Db,
  farmId: number,
  { rule, deviceId, part, life }: Change,
  times: number,
  now: Date,
): Promise<Touched | undefined> {
  const limit = rule.condition === 'either' ? MOMENTS_NOTIFIED : COMES_AND_GOES;
  if (times < limit) return undefined;
  const last = await trx
    .selectFrom('alert_episode')
    .select('incident_id')
    .where('farm_id', '=', farmId)
    .where('rule_id', '=', rule.id)
    .where('device_id', '=', deviceId)
    .where('part', '=', part)
    .where('fired_at', '>', new Date(now.getTime() - COMES_AND_GOES_MS))
    .where('incident_id', 'is not', null)
    .orderBy('fired_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last?.incident_id) return undefined;
  const row = await again(trx, farmId, last.incident_id, { of: life?.class, kind: rule.kind }, now);
  if (!row) return undefined;
  const { isWorse: isNews, ...incident } = row;
  const what = times === limit ? ('comes and goes' as const) : ('came again' as const);
  return { ...incident, what: isNews ? ('got worse' as const) : what, why: null, times };
}

/** An incident is so again, and asked again like others if it stays so. Worse than ever, it has nobody. */
async function again(
  trx: Db,
  farmId: number,
  id: string,
  { of: own, kind }: { of: AlertClass | undefined; kind: AlertKind },
  now: Date,
) {
  const before = await trx
    .selectFrom('alert_incident')
    .select(['class', 'ended_at', 'repeated'])
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) return undefined;
  const isNew = own !== undefined && isWorse(own, before.class);
  const of = own !== undefined && (isNew || before.ended_at !== null) ? own : before.class;
  const next = nextRepeat(of, kind, isNew ? 0 : before.repeated, now.getTime());
  const row = await trx
    .updateTable('alert_incident')
    .set({
      class: of,
      ended_at: null,
      // Where another device of it is so still, who is on it stays on it.
      ...((isNew || before.ended_at !== null) && { answered_by: null, answered_at: null }),
      ...(isNew && { repeated: 0, snoozed_until: null, snoozed_by: null }),
      next_step_at: next === null ? null : new Date(next),
      version: sql`version + 1`,
    })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .returning(['id', 'uid', 'class'])
    .executeTakeFirstOrThrow();
  return { ...row, isWorse: isNew };
}

/** What begins within so long after the first is told with it, ms. */
const JOINED_MS: Partial<Record<AlertKind, number>> = {
  OutOfContact: 10 * 60_000,
  // In a week without sun thousands of batteries get low, one after the other.
  LowBattery: 24 * 3_600_000,
  // Until it is told again: a send that some don't take is found at each of them as it reports.
  SprinklerError: 4 * 3_600_000,
};
/** After people were told of sprinklers with errors, others that follow are told together so much later, ms. */
const MORE_ERRORS_MS = 30 * 60_000;

/**
 * Devices that fall silent one after the other are told as one, and what gets low on one day, and sprinklers whose errors are found as
 * they report: what nobody has answered or snoozed yet takes in those that follow. Not gateways, each of which takes others with it. More
 * low batteries are on the timeline, in the digest and on the page alone, unless somebody made the alert more than information.
 */
export async function joinOpen(
  trx: Db,
  farmId: number,
  changes: readonly Change[],
  now: Date,
): Promise<Touched | undefined> {
  const [first] = changes;
  const joinedMs = first && JOINED_MS[first.rule.kind];
  if (!first || joinedMs === undefined) return undefined;
  if (changes.some(({ facts }) => facts.behind !== undefined || facts.kind === 'gateway')) return undefined;
  const isError = first.rule.kind === 'SprinklerError';
  const row = await trx
    .updateTable('alert_incident')
    .set({
      version: sql`version + 1`,
      ...(isError && { next_step_at: tellMoreAt(now) }),
    })
    .where('farm_id', '=', farmId)
    .where('id', '=', (query) =>
      query
        .selectFrom('alert_incident as i')
        .innerJoin('alert_episode as e', (join) =>
          join.onRef('e.farm_id', '=', 'i.farm_id').onRef('e.incident_id', '=', 'i.id'),
        )
        .select('i.id')
        .where('i.farm_id', '=', farmId)
        .where('i.rule_id', '=', first.rule.id)
        .where('i.opened_at', '>', new Date(now.getTime() - joinedMs))
        .where('i.ended_at', 'is', null)
        .where('i.answered_by', 'is', null)
        .where((where) =>
          where.or([where('i.snoozed_until', 'is', null), where('i.snoozed_until', '<=', now)]),
        )
        // Urgent ones don't wait for others.
        .$if(isError, (those) => those.where('i.class', '<>', 'urgent'))
        .where(sql<boolean>`coalesce(e.facts ->> 'kind', '') not in ('gateway', 'network server')`)
        .orderBy('i.id', 'desc')
        .limit(1),
    )
    .returning(['id', 'uid', 'class'])
    .executeTakeFirst();
  const isQuiet = isError || (first.rule.kind === 'LowBattery' && row?.class === 'info');
  return row && { ...row, what: 'joined', why: null, isQuiet };
}

/** Half an hour after people were told last, or with what they are told next if that is sooner. */
const tellMoreAt = (now: Date) => sql<Date>`least(next_step_at, greatest(${now}::timestamptz, (
  select max(s.at) from alert_step s join alert_notice n on n.farm_id = s.farm_id and n.step_id = s.id
  where s.farm_id = alert_incident.farm_id and s.incident_id = alert_incident.id
) + make_interval(secs => ${MORE_ERRORS_MS / 1000})))`;

/** Whether others joined it after people were last told of it. */
export async function hasMore(trx: Db, farmId: number, incidentId: string): Promise<boolean> {
  const { rows } = await sql<{ more: boolean }>`
    select exists (select from alert_step j where j.farm_id = ${farmId} and j.incident_id = ${incidentId} and j.what = 'joined'
      and j.id > all (select s.id from alert_step s join alert_notice n on n.farm_id = s.farm_id and n.step_id = s.id
        where s.farm_id = ${farmId} and s.incident_id = ${incidentId})) as more`.execute(trx);
  return rows[0]?.more ?? false;
}
