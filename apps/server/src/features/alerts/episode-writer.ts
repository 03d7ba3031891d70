import type { Life } from '@headrace/contract/rules/alerts/alert-life';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Change } from './plan.ts';

const ROWS_AT_ONCE = 1000;
const dateOf = (at: number | null) => (at === null ? null : new Date(at));

/**
 * Stores what became of episodes, all of a look at once: hundreds of units may fall silent, or be heard again, in the same one. What
 * ends makes room for what begins on the same device.
 */
export async function storeEpisodes(
  trx: Db,
  farmId: number,
  changes: readonly Change[],
  incidentIdOf: (change: Change) => string | null,
): Promise<void> {
  const valued = changes.flatMap((change) =>
    change.life
      ? [{ change, values: { ...valuesOf(change, change.life), incident_id: incidentIdOf(change) } }]
      : [],
  );
  const changed = valued.flatMap(({ change: { before }, values }) =>
    before ? { id: before.id, ...values } : [],
  );
  const dropped = changes.flatMap(({ before, life, endedAt }) =>
    before && !life && endedAt === null ? before.id : [],
  );
  const added = valued.flatMap(({ change: { before, rule, deviceId, part }, values }) =>
    before ? [] : { farm_id: farmId, rule_id: rule.id, device_id: deviceId, part, ...values },
  );
  if (changed.length > 0) await changeRows(trx, farmId, changed);
  if (dropped.length > 0)
    await sql`delete from alert_episode where farm_id = ${farmId} and id = any(${dropped}::bigint[])`.execute(
      trx,
    );
  for (let start = 0; start < added.length; start += ROWS_AT_ONCE)
    await trx
      .insertInto('alert_episode')
      .values(added.slice(start, start + ROWS_AT_ONCE))
      .execute();
}

const changeRows = (trx: Db, farmId: number, rows: readonly object[]) =>
  sql`update alert_episode e set incident_id = v.incident_id, state = v.state, class = v.class, since = v.since,
      fired_at = v.fired_at, answered_at = v.answered_at, clear_since = v.clear_since, ended_at = v.ended_at,
      value = v.value, peak = v.peak, came_back = v.came_back, facts = v.facts::jsonb, due_at = v.due_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(id bigint, incident_id bigint, state text, class text,
      since timestamptz, fired_at timestamptz, answered_at timestamptz, clear_since timestamptz, ended_at timestamptz,
      value float8, peak float8, came_back int, facts text, due_at timestamptz)
    where e.farm_id = ${farmId} and e.id = v.id`.execute(trx);

const valuesOf = ({ endedAt, facts, dueAt }: Change, life: Life) => ({
  state: endedAt === null ? life.state : ('ended' as const),
  class: life.class,
  since: new Date(life.since),
  fired_at: dateOf(life.firedAt),
  answered_at: dateOf(life.answeredAt),
  clear_since: dateOf(life.clearSince),
  ended_at: dateOf(endedAt),
  value: life.value,
  peak: life.peak,
  came_back: life.cameBack,
  // As text: the database reads it.
  facts: JSON.stringify(facts),
  due_at: dateOf(dueAt),
});
