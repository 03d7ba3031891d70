import {
  type AlertClass,
  alertClasses,
  type AlertKind,
  isMomentKind,
} from '@headrace/contract/rules/alerts/alert-kinds';
import { nextRepeat } from '@headrace/contract/rules/alerts/repeats';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { storeEpisodes } from './episode-writer.ts';
import { grouped } from './grouped.ts';
import { joinComingAndGoing, joinOpen } from './join-incidents.ts';
import type { Change, ChangedRule } from './plan.ts';
import { bySameUnits } from './replaced-units.ts';

/** An incident of which people are to hear, with what of it is new. */
export interface Touched {
  readonly id: string;
  readonly uid: string;
  readonly class: AlertClass;
  /**
   * It is told as what begins, what goes on and got worse or was asked again, whom it has, or what ended. What comes again after it was
   * told that it comes and goes is written and told to nobody.
   */
  readonly what:
    | 'began'
    | 'comes and goes'
    | 'came again'
    | 'joined'
    | 'repeated'
    | 'escalated'
    | 'snoozed'
    | 'got worse'
    | 'asked again'
    | 'answered'
    | 'ended';
  readonly why: string | null;
  /** Of what ended. */
  readonly deviceIds?: readonly number[];
  /** On the timeline alone: another message says it, or so much begins that it isn't told one by one. */
  readonly isQuiet?: boolean;
  /** Of what comes and goes: how often within six hours. */
  readonly times?: number;
  /** Who is on it, and from where. */
  readonly by?: { readonly accountId: number; readonly name: string; readonly from: string };
}

export const worstOf = (classes: readonly AlertClass[]): AlertClass =>
  alertClasses.findLast((one) => classes.includes(one)) ?? 'info';

/**
 * Stores what became of a farm's alerts, and returns the incidents of which people are to hear. What one look finds of one alert is one
 * incident. An episode that somebody answered meanwhile, or whose device gave its place to another unit, is left for the next look, and so
 * is what begins on a unit that somebody holds; by the words of a unit that is gone none begins.
 */
export async function writeChanges(
  trx: Db,
  farm: Pick<FarmRow, 'id'>,
  read: readonly Change[],
  { recent, now }: { recent: ReadonlyMap<string, number>; now: Date },
): Promise<Touched[]> {
  const changes = await lockedAsRead(trx, farm.id, await bySameUnits(trx, farm.id, read));
  const touched = new Map<string, Touched>();
  const touch = (one: Touched) => touched.set(`${one.id} ${one.what}`, one);
  const fresh = changes.filter(({ before, steps }) => steps.includes('fired') && !before?.incident_id);
  const incidentOf = new Map<Change, Touched>();
  for (const [change, times] of timesOf(fresh, recent)) {
    const joined = await joinComingAndGoing(trx, farm.id, change, times, now);
    if (joined) incidentOf.set(change, joined);
  }
  const beginning = grouped(
    fresh.filter((change) => !incidentOf.has(change)),
    ({ rule, facts }) => `${rule.id} ${facts.behind !== undefined}`,
  );
  for (const ofRule of beginning.values()) {
    const incident = (await joinOpen(trx, farm.id, ofRule, now)) ?? (await open(trx, farm.id, ofRule, now));
    for (const change of ofRule) incidentOf.set(change, incident);
  }
  for (const incident of incidentOf.values()) touch(incident);
  const incidentIdOf = (change: Change) => incidentOf.get(change)?.id ?? change.before?.incident_id ?? null;
  await storeEpisodes(trx, farm.id, changes, incidentIdOf);
  for (const change of changes) {
    const incidentId = incidentIdOf(change);
    if (incidentId === null || incidentOf.has(change)) continue;
    for (const what of ['got worse', 'asked again'] as const)
      if (change.steps.includes(what)) touch(await renew(trx, farm.id, incidentId, change, what, now));
  }
  const closing = grouped(
    changes.filter(({ endedAt }) => endedAt !== null),
    incidentIdOf,
  );
  for (const [id, ofIncident] of closing) {
    const ended = id === null ? undefined : await close(trx, farm.id, id, ofIncident);
    // A moment is told as what it was; what began and ended before anybody looked wakes nobody.
    if (!ended || ofIncident.every(isMoment)) continue;
    touched.delete(`${id} began`);
    touch(ended);
  }
  return [...touched.values()];
}

/** When it is told again if nobody answers. */
function repeatAt(of: AlertClass, kind: AlertKind, now: Date): Date | null {
  const at = nextRepeat(of, kind, 0, now.getTime());
  return at === null ? null : new Date(at);
}

/** When more people are told if nobody answers. */
const escalateAt = ({ escalate_min: minutes }: ChangedRule, now: Date): Date | null =>
  minutes === null ? null : new Date(now.getTime() + minutes * 60_000);

const isMoment = ({ before, rule }: Change) => !before && isMomentKind(rule.kind, rule.condition);

/**
 * What is still as it was read, in the order of the episodes' ids. Incidents are locked before their episodes, each by its id, as who
 * answers does it: so no two wait for each other.
 */
async function lockedAsRead(trx: Db, farmId: number, changes: readonly Change[]): Promise<Change[]> {
  const known = changes.flatMap(({ before }) => before ?? []);
  const incidents = new Set(known.flatMap(({ incident_id }) => incident_id ?? []));
  const lock = async (table: 'alert_incident' | 'alert_episode', ids: readonly string[]) => {
    if (ids.length > 0)
      await sql`select id from ${sql.table(table)} where farm_id = ${farmId} and id = any(${[...ids]}::bigint[])
        order by id for no key update`.execute(trx);
  };
  await lock('alert_incident', [...incidents]);
  const ids = known.map(({ id }) => id);
  await lock('alert_episode', ids);
  const rows =
    ids.length === 0
      ? []
      : await trx
          .selectFrom('alert_episode')
          .select(['id', 'state', 'answered_at', 'other_unit_at'])
          .where('farm_id', '=', farmId)
          .where(sql<boolean>`id = any(${ids}::bigint[])`)
          .execute();
  const now = new Map(rows.map((row) => [row.id, row]));
  const isAsRead = ({ before }: Change) => {
    if (!before) return true;
    const row = now.get(before.id);
    return (
      row?.state === before.state &&
      ms(row.answered_at) === ms(before.answered_at) &&
      ms(row.other_unit_at) === ms(before.other_unit_at)
    );
  };
  return changes
    .filter(isAsRead)
    .toSorted((one, other) => Number(one.before?.id ?? Infinity) - Number(other.before?.id ?? Infinity) || 0);
}

const ms = (at: Date | string | null) => (at === null ? null : new Date(at).getTime());

/** How often each has fired within six hours, itself and those before it of the same look counted. */
function timesOf(fresh: readonly Change[], recent: ReadonlyMap<string, number>): [Change, number][] {
  const counted = new Map(recent);
  return fresh.map((change) => {
    const key = `${change.rule.id} ${change.deviceId} ${change.part}`;
    const times = (counted.get(key) ?? 0) + 1;
    counted.set(key, times);
    return [change, times];
  });
}

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
      next_step_at: repeatAt(of, rule.kind, now),
      escalate_at: escalateAt(rule, now),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, uid, class: of, what: 'began', why: null };
}

async function renew(
  trx: Db,
  farmId: number,
  id: string,
  { life, rule }: Change,
  what: 'got worse' | 'asked again',
  now: Date,
) {
  const row = await trx
    .updateTable('alert_incident')
    .set({
      ...(life && { class: worstOpen(farmId, id, life.class) }),
      answered_by: null,
      answered_at: null,
      repeated: 0,
      ...(life && { next_step_at: repeatAt(life.class, rule.kind, now) }),
      escalate_at: escalateAt(rule, now),
      escalated_at: null,
      // Whoever snoozed it has snoozed what it was.
      ...(what === 'got worse' && { snoozed_until: null, snoozed_by: null }),
      version: sql`version + 1`,
    })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .returning(['id', 'uid', 'class'])
    .executeTakeFirstOrThrow();
  return { ...row, what, why: null };
}

/** Of several devices the worst that is so still. */
const worstOpen = (farmId: number, id: string, own: AlertClass) =>
  sql<AlertClass>`coalesce((select e.class from alert_episode e where e.farm_id = ${farmId} and e.incident_id = ${id}
    and e.state <> 'ended' order by array_position(${[...alertClasses]}::text[], e.class) desc limit 1), ${own})`;

/** Once all of its episodes are over; undefined: some go on. */
async function close(
  trx: Db,
  farmId: number,
  id: string,
  closing: readonly Change[],
): Promise<Touched | undefined> {
  const ends = closing.flatMap(({ endedAt }) => endedAt ?? []);
  const row = await trx
    .updateTable('alert_incident')
    .set({
      ended_at: new Date(Math.max(...ends)),
      next_step_at: null,
      escalate_at: null,
      version: sql`version + 1`,
    })
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
  const why = closing.find((change) => change.why !== null)?.why ?? null;
  const isQuiet = closing.every((change) => change.isQuiet === true);
  return row && { ...row, what: 'ended', why, isQuiet, deviceIds: closing.map(({ deviceId }) => deviceId) };
}
