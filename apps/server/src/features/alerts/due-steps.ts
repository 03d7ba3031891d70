import { nextRepeat } from '@headrace/contract/rules/alerts/repeats';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { tellServers } from '../../live/database-news.ts';
import type { Messages } from '../messages/messages.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import { heldFloods, tellHeldFlood } from './flood-afterwards.ts';
import { messageText } from './message-text.ts';
import { keyFor, keyOf, noteOf, readBy, tellPeople } from './tell-people.ts';
import { hasMore } from './join-incidents.ts';
import { mayNotify } from './pauses.ts';
import { waysNow } from './ways-now.ts';
import { readPreferences } from './preferences.repo.ts';
import { type IncidentRow, readIncident } from './incident-subject.ts';
import { whoHears } from './who-hears.ts';

const AT_ONCE = 200;
/** What may be over is not told again until that is known, ms. */
const CLEARING_MS = 5 * 60_000;

export interface DueStepsParts {
  readonly db: Db;
  readonly messages: Pick<Messages, 'notify' | 'cancel' | 'sendBy'>;
  readonly log: { error(details: object, message: string): void };
}

/** Tells again what nobody has answered, and what was held back until somebody's night was over. One that fails waits for the next turn. */
export async function takeDueSteps({ db, messages, log }: DueStepsParts, now: Date): Promise<void> {
  const turn = (farmId: number, failed: string, work: (trx: Db) => Promise<void>) =>
    db
      .transaction()
      .execute(work)
      .catch((error: unknown) => log.error({ err: error, farmId }, failed));
  for (const { farm_id: farmId, id } of await dueBy(db, 'next_step_at', now))
    await turn(farmId, 'an alert was not told again', (trx) => repeat(trx, messages, { farmId, id }, now));
  for (const { farm_id: farmId, id } of await dueBy(db, 'escalate_at', now))
    await turn(farmId, 'an alert was not told to more people', (trx) =>
      escalate(trx, messages, { farmId, id }, now),
    );
  for (const held of await heldBack(db, now))
    await turn(held.farm_id, 'an alert was not told after quiet hours', (trx) =>
      release(trx, messages, held, now),
    );
  for await (const farmId of heldFloods(db))
    await turn(farmId, 'a flood was not told after a pause or quiet hours', async (trx) => {
      const farm = await farmOf(trx, farmId);
      if (farm) await tellHeldFlood(trx, messages, farm, now);
    });
}

type Due = 'next_step_at' | 'escalate_at';

/** What is snoozed or paused stays due, and is taken once that is over, however early somebody ends it. */
const dueBy = (db: Db, due: Due, now: Date) =>
  db
    .selectFrom('alert_incident as i')
    .select(['i.farm_id', 'i.id'])
    .where(`i.${due}`, '<=', now)
    .where(mayNotify(now))
    .orderBy(`i.${due}`)
    .limit(AT_ONCE)
    .execute();

/** Nobody answered for so long as the alert says: more people are told. A snooze or a pause puts that off. */
async function escalate(
  trx: Db,
  messages: DueStepsParts['messages'],
  { farmId, id }: { farmId: number; id: string },
  now: Date,
): Promise<void> {
  const row = await lockDue(trx, farmId, id, 'escalate_at', now);
  if (!row) return;
  const set = (values: { escalate_at: Date | null; escalated_at?: Date }) =>
    trx
      .updateTable('alert_incident')
      .set(values)
      .where('farm_id', '=', farmId)
      .where('id', '=', id)
      .execute();
  const farm = await farmOf(trx, farmId);
  if (!farm || row.ended_at !== null || row.answered_at !== null)
    return void (await set({ escalate_at: null }));
  if (!(await isFiring(trx, farmId, id)))
    return void (await set({ escalate_at: new Date(now.getTime() + CLEARING_MS) }));
  const touched = { ...row, what: 'escalated' as const, why: null };
  if ((await whoHears(trx, farmId, touched, now)).length === 0)
    return void (await set({ escalate_at: null }));
  await set({ escalate_at: null, escalated_at: now });
  await tellPeople(trx, messages, farm, touched, now);
  await tellServers(trx, { kind: 'records-changed', farmId, record: 'alert', page: undefined });
}

/** One that is due, for this turn alone; undefined: another server has it, or it is due no more. */
const lockDue = (trx: Db, farmId: number, id: string, due: Due, now: Date) =>
  trx
    .selectFrom('alert_incident as i')
    .selectAll('i')
    .where('i.farm_id', '=', farmId)
    .where('i.id', '=', id)
    .where(`i.${due}`, '<=', now)
    .where(mayNotify(now))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

async function repeat(
  trx: Db,
  messages: DueStepsParts['messages'],
  { farmId, id }: { farmId: number; id: string },
  now: Date,
): Promise<void> {
  const row = await lockDue(trx, farmId, id, 'next_step_at', now);
  const farm = row && (await farmOf(trx, farmId));
  if (!row) return;
  const set = (values: { next_step_at: Date | null; repeated?: number; escalate_at?: Date | null }) =>
    trx
      .updateTable('alert_incident')
      .set(values)
      .where('farm_id', '=', farmId)
      .where('id', '=', id)
      .execute();
  if (!farm || row.ended_at !== null || row.answered_at !== null)
    return void (await set({ next_step_at: null }));
  if (!(await isFiring(trx, farmId, id)))
    return void (await set({ next_step_at: new Date(now.getTime() + CLEARING_MS) }));
  // What is new is no repeat.
  const isMore = await hasMore(trx, farmId, id);
  const repeated = row.repeated + (isMore ? 0 : 1);
  const next = nextRepeat(row.class, row.kind, repeated, now.getTime());
  await set({
    next_step_at: next === null ? null : new Date(next),
    repeated,
    escalate_at: escalateFrom(row, now),
  });
  await tellPeople(trx, messages, farm, { ...row, what: isMore ? 'joined' : 'repeated', why: null }, now);
  await tellServers(trx, { kind: 'records-changed', farmId, record: 'alert', page: undefined });
}

/** What began in a pause is told for the first time now: from now on people have the time to answer that its alert gives them. */
function escalateFrom(
  { escalate_at: due, next_step_at: step, opened_at }: IncidentRow,
  now: Date,
): Date | null {
  if (due === null || step === null || step > opened_at) return due;
  return new Date(now.getTime() + due.getTime() - opened_at.getTime());
}

async function isFiring(trx: Db, farmId: number, incidentId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('alert_episode')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('incident_id', '=', incidentId)
    .where('state', '=', 'firing')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const farmOf = (trx: Db, farmId: number): Promise<FarmRow | undefined> =>
  trx
    .selectFrom('farm')
    .selectAll()
    .where('id', '=', farmId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

interface Held {
  readonly farm_id: number;
  readonly step_id: string;
  readonly account_id: number;
  readonly incident_id: string;
}

/** Of each incident the newest that each person was not told by other ways than the bell; once it is neither snoozed nor paused. */
const heldBack = async (db: Db, now: Date): Promise<Held[]> => {
  const { rows } = await sql<Held>`
    select distinct on (n.farm_id, s.incident_id, n.account_id) n.farm_id, n.step_id, n.account_id, s.incident_id
    from alert_notice n join alert_step s on s.farm_id = n.farm_id and s.id = n.step_id
    join alert_incident i on i.farm_id = s.farm_id and i.id = s.incident_id
    where n.held_until <= ${now} and ${mayNotify(now)}
      -- What may be over waits until that is known.
      and (i.ended_at is not null or i.answered_at is not null or exists (select from alert_episode e
        where e.farm_id = i.farm_id and e.incident_id = i.id and e.state = 'firing'))
    order by n.farm_id, s.incident_id, n.account_id, n.step_id desc limit ${AT_ONCE}`.execute(db);
  return rows;
};

/** Still so, with nobody, and theirs to hear: told now, as it is now. Else it stays in the bell. */
async function release(
  trx: Db,
  messages: DueStepsParts['messages'],
  { farm_id: farmId, step_id: stepId, account_id: accountId, incident_id: incidentId }: Held,
  now: Date,
): Promise<void> {
  const { rows } = await sql`update alert_notice n set held_until = null from alert_step s, alert_incident i
    where n.farm_id = ${farmId} and n.account_id = ${accountId} and n.held_until <= ${now}
      and s.farm_id = n.farm_id and s.id = n.step_id and s.incident_id = ${incidentId}
      and i.farm_id = s.farm_id and i.id = s.incident_id and ${mayNotify(now)} returning 1`.execute(trx);
  const row = await trx
    .selectFrom('alert_incident')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where('id', '=', incidentId)
    .executeTakeFirst();
  const farm = await farmOf(trx, farmId);
  const told = await readIncident(trx, farmId, incidentId);
  if (rows.length === 0 || !row || !farm || !told) return;
  if (row.ended_at !== null || row.answered_at !== null) return;
  if (!(await accountsWithFlag(trx, farmId, 'notifications', now)).includes(accountId)) return;
  const touched = { ...row, what: 'asked again' as const, why: null };
  const preference = (await readPreferences(trx, [accountId]))(accountId);
  const person = { accountId, preference: { ...preference, quiet: null }, heldBack: null };
  const { ways, heldBack: stillHeld, note: ofLimit } = await waysNow(trx, touched, person, now);
  await trx
    .updateTable('alert_notice')
    .set({ held_back: stillHeld })
    .where('farm_id', '=', farmId)
    .where('step_id', '=', stepId)
    .where('account_id', '=', accountId)
    .execute();
  const words = messageText(farm, told, touched, now.getTime());
  const read = readBy(farm, words, preference.zone, ofLimit, now);
  const note = noteOf(farm, touched, read, keyOf(row.uid, stepId), now);
  const key = await keyFor(trx, farmId, touched, accountId, ways, now);
  for (const way of ways) await messages.sendBy(way, accountId, { ...note, ...key }, now, trx);
}
