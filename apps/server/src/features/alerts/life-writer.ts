import type { Life } from '@headrace/contract/rules/alerts/alert-life';
import { type AlertClass, alertClasses } from '@headrace/contract/rules/alerts/alert-kinds';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { COMES_AND_GOES_MS } from './rule-life.ts';
import type { Change } from './plan.ts';

/** An incident of which people are to hear, with what of it is new. */
export interface Touched {
  readonly id: string;
  readonly uid: string;
  readonly class: AlertClass;
  /** It is told as what begins, what goes on and got worse or was asked again, or what ended. */
  readonly what: 'began' | 'comes and goes' | 'got worse' | 'asked again' | 'ended';
  readonly why: string | null;
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at));
export const worstOf = (classes: readonly AlertClass[]): AlertClass =>
  alertClasses.findLast((one) => classes.includes(one)) ?? 'info';

/**
 * Stores what became of a farm's alerts, and returns the incidents of which people are to hear. What one look finds of one alert is one
 * incident. An episode that somebody answered meanwhile is left for the next look.
 */
export async function writeChanges(
  trx: Db,
  farm: Pick<FarmRow, 'id'>,
  changes: readonly Change[],
  { recent, now }: { recent: ReadonlyMap<string, number>; now: Date },
): Promise<Touched[]> {
  const touched = new Map<string, Touched>();
  const touch = (one: Touched) => touched.set(`${one.id} ${one.what}`, one);
  const fresh = changes.filter(({ before, steps }) => steps.includes('fired') && !before?.incident_id);
  const incidentOf = new Map<Change, Touched>();
  for (const rule of new Set(fresh.map((change) => change.rule))) {
    const ofRule = fresh.filter((change) => change.rule === rule);
    const lone = ofRule.length === 1 ? ofRule[0] : undefined;
    const joined = lone && (await joinComingAndGoing(trx, farm.id, lone, recent, now));
    const incident = joined ?? (await open(trx, farm.id, ofRule, now));
    for (const change of ofRule) incidentOf.set(change, incident);
    touch(incident);
  }
  for (const change of changes) {
    const incidentId = incidentOf.get(change)?.id ?? change.before?.incident_id ?? null;
    if (!(await store(trx, farm.id, change, incidentId))) continue;
    if (incidentId === null || incidentOf.has(change)) continue;
    for (const what of ['got worse', 'asked again'] as const)
      if (change.steps.includes(what)) touch(await renew(trx, farm.id, incidentId, change, what));
  }
  const closing = changes.filter(({ endedAt }) => endedAt !== null);
  const ids = new Set(
    closing.flatMap((change) => incidentOf.get(change)?.id ?? change.before?.incident_id ?? []),
  );
  for (const id of ids) {
    const why = closing.find((change) => change.before?.incident_id === id)?.why ?? null;
    const ended = await close(trx, farm.id, id, closing, why);
    if (!ended) continue;
    const began = touched.get(`${id} began`);
    // A moment is told as what it was; what began and ended before anybody looked wakes nobody.
    if (began && closing.some(({ before, rule }) => !before && rule.condition === 'either')) continue;
    if (began) touched.delete(`${id} began`);
    touch(ended);
  }
  return [...touched.values()];
}

/** False when it is no longer as it was read. */
async function store(trx: Db, farmId: number, change: Change, incidentId: string | null): Promise<boolean> {
  const { before, life, endedAt, rule, deviceId, part } = change;
  if (!before) {
    if (!life) return true;
    const key = { farm_id: farmId, rule_id: rule.id, device_id: deviceId, part };
    await trx
      .insertInto('alert_episode')
      .values({ ...key, ...valuesOf(change, life), incident_id: incidentId })
      .execute();
    return true;
  }
  const same = sql<boolean>`farm_id = ${farmId} and id = ${before.id} and state = ${before.state}
    and answered_at is not distinct from ${before.answered_at}`;
  if (!life && endedAt === null) {
    await trx.deleteFrom('alert_episode').where(same).execute();
    return true;
  }
  if (!life) return true;
  const { numUpdatedRows } = await trx
    .updateTable('alert_episode')
    .set({ ...valuesOf(change, life), incident_id: incidentId })
    .where(same)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

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
  facts: JSON.stringify(facts),
  due_at: dateOf(dueAt),
});

async function open(trx: Db, farmId: number, changes: readonly Change[], now: Date): Promise<Touched> {
  const [first] = changes;
  if (!first) throw new Error('an incident needs an episode');
  const { rule } = first;
  const uid = newUid(now);
  const of = worstOf(changes.flatMap(({ life }) => life?.class ?? []));
  const { id } = await trx
    .insertInto('alert_incident')
    .values({
      farm_id: farmId,
      uid,
      rule_id: rule.id,
      rule_name: rule.name,
      kind: rule.kind,
      class: of,
      opened_at: now,
      ended_at: null,
      answered_by: null,
      answered_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, uid, class: of, what: 'began', why: null };
}

/** The fourth within six hours is told as one that comes and goes, and those after it aren't told: they are the same incident again. */
async function joinComingAndGoing(
  trx: Db,
  farmId: number,
  { rule, deviceId, part, life }: Change,
  recent: ReadonlyMap<string, number>,
  now: Date,
): Promise<Touched | undefined> {
  if ((recent.get(`${rule.id} ${deviceId} ${part}`) ?? 0) < 3) return undefined;
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
    .limit(1)
    .executeTakeFirst();
  if (!last?.incident_id) return undefined;
  const row = await trx
    .updateTable('alert_incident')
    .set({ ended_at: null, answered_by: null, answered_at: null, version: sql`version + 1` })
    .where('farm_id', '=', farmId)
    .where('id', '=', last.incident_id)
    .returning(['id', 'uid', 'class'])
    .executeTakeFirst();
  return row && { ...row, class: life?.class ?? row.class, what: 'comes and goes', why: null };
}

async function renew(
  trx: Db,
  farmId: number,
  id: string,
  { life }: Change,
  what: 'got worse' | 'asked again',
) {
  const row = await trx
    .updateTable('alert_incident')
    .set({
      ...(life && { class: life.class }),
      answered_by: null,
      answered_at: null,
      version: sql`version + 1`,
    })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .returning(['id', 'uid', 'class'])
    .executeTakeFirstOrThrow();
  return { ...row, what, why: null };
}

/** Once all of its episodes are over; undefined: some go on. */
async function close(
  trx: Db,
  farmId: number,
  id: string,
  closing: readonly Change[],
  why: string | null,
): Promise<Touched | undefined> {
  const ends = closing.flatMap(({ endedAt }) => endedAt ?? []);
  const row = await trx
    .updateTable('alert_incident')
    .set({ ended_at: new Date(Math.max(...ends)), version: sql`version + 1` })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_episode as e')
            .select('e.id')
            .where('e.farm_id', '=', farmId)
            .where('e.incident_id', '=', id)
            .where('e.state', '!=', 'ended'),
        ),
      ),
    )
    .returning(['id', 'uid', 'class'])
    .executeTakeFirst();
  return row && { ...row, what: 'ended', why };
}
