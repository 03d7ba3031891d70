import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import { quietUntil } from '@headrace/contract/rules/alerts/quiet-hours';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Messages, Note } from '../messages/messages.ts';
import type { Way } from '../outbox/outbox.repo.ts';
import { issueAnswerKey } from './answer-keys.ts';
import { type Preference, readPreferences } from './preferences.repo.ts';
import { readIncident } from './incident-subject.ts';
import type { Touched } from './life-writer.ts';
import { messageText } from './message-text.ts';

const HOUR_MS = 3_600_000;
/** From then on a message of this class is of no use, ms. */
const OF_USE_MS: Readonly<Record<AlertClass, number>> = {
  urgent: 2 * HOUR_MS,
  important: 6 * HOUR_MS,
  info: 12 * HOUR_MS,
};

/**
 * Tells everybody who may hear of the farm, in the transaction in which it became so; of an end, and of who is on it, those who were
 * told the beginning. What waits to be sent of it, and is over or answered, is not sent any more.
 */
export async function tellPeople(
  trx: Db,
  messages: Pick<Messages, 'notify' | 'cancel'>,
  farm: FarmRow,
  touched: Touched,
  now: Date,
): Promise<void> {
  const told = await readIncident(trx, farm.id, touched.id);
  if (!told) return;
  const words = messageText(farm, told, touched, now.getTime());
  const hearers = await whoHears(trx, farm.id, touched, now);
  if (isAnEnd(touched))
    for (const stepId of await notifiedStepIds(trx, farm.id, touched.id))
      await messages.cancel(keyOf(touched.uid, stepId), {}, trx);
  // What is not told one by one isn't told again either.
  if (touched.isQuiet === true && touched.what === 'began') await stopRepeats(trx, farm.id, touched.id);
  const { id: stepId } = await trx
    .insertInto('alert_step')
    .values({
      farm_id: farm.id,
      incident_id: touched.id,
      at: now,
      what: touched.what,
      by_account: touched.by?.accountId ?? null,
      note: touched.by?.from ?? words.message,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const preferenceOf = await readPreferences(trx, hearers);
  const isSnoozed = told.snoozedUntil !== null && told.snoozedUntil > now.getTime() && goesOn(touched);
  for (const accountId of hearers) {
    const preference = preferenceOf(accountId);
    const ways = isSnoozed ? [] : waysFor(touched, preference);
    const { quiet } = preference;
    const until = quiet && touched.class !== 'urgent' ? quietUntil(quiet, now.getTime()) : null;
    const isHeld = until !== null && ways.length > 0 && !isAnEnd(touched);
    await trx
      .insertInto('alert_notice')
      .values({
        farm_id: farm.id,
        step_id: stepId,
        account_id: accountId,
        held_until: isHeld ? new Date(until) : null,
      })
      .execute();
    const note = noteOf(touched, words, keyOf(touched.uid, stepId), now);
    const sent = until === null ? ways : [];
    const key = await keyFor(trx, farm.id, touched, accountId, sent, now);
    await messages.notify(accountId, { ...note, ...key, ways: sent }, now, trx);
  }
}

export const noteOf = (
  { uid, what, class: of }: Touched,
  words: Pick<Note, 'title' | 'message' | 'sms'>,
  dedupeKey: string,
  now: Date,
): Note => ({
  ...words,
  link: `/alerts?incident=${uid}`,
  alert: what !== 'ended',
  dedupeKey,
  expiresAt: new Date(now.getTime() + OF_USE_MS[of]),
  topic: uid,
  ...(of === 'urgent' && { isUrgent: true as const }),
});

/** What can be answered carries a key of its person's, where it leaves the app. */
export async function keyFor(
  trx: Db,
  farmId: number,
  touched: Touched,
  accountId: number,
  ways: readonly Way[],
  now: Date,
): Promise<Pick<Note, 'answerKey'>> {
  if (ways.length === 0 || isAnEnd(touched)) return {};
  return { answerKey: await issueAnswerKey(trx, { farmId, incidentId: touched.id, accountId }, now) };
}

/** Beside the bell. Who is on it is no reason to wake anybody, nor is that more is of what was told. */
export const waysFor = ({ what, class: of }: Touched, { ways }: Preference): Way[] =>
  what === 'answered' || what === 'joined' ? [] : ways[of].map((way) => (way === 'email' ? 'mail' : way));

/** That it is so still, or more of it is. */
const goesOn = ({ what }: Touched) =>
  what === 'repeated' || what === 'asked again' || what === 'joined' || what === 'comes and goes';

export const keyOf = (incidentUid: string, stepId: string) => `alert ${incidentUid} ${stepId}`;

const stopRepeats = (trx: Db, farmId: number, id: string) =>
  trx
    .updateTable('alert_incident')
    .set({ next_step_at: null })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .execute();

const isAnEnd = ({ what }: Touched) => what === 'ended' || what === 'answered';

const notifiedSteps = (trx: Db, farmId: number, incidentId: string) =>
  trx
    .selectFrom('alert_notice as n')
    .innerJoin('alert_step as s', (join) =>
      join.onRef('s.farm_id', '=', 'n.farm_id').onRef('s.id', '=', 'n.step_id'),
    )
    .distinct()
    .where('n.farm_id', '=', farmId)
    .where('s.incident_id', '=', incidentId);

async function notifiedStepIds(trx: Db, farmId: number, incidentId: string): Promise<string[]> {
  const rows = await notifiedSteps(trx, farmId, incidentId).select('s.id').execute();
  return rows.map(({ id }) => id);
}

/** Of what came again and was not told, nobody hears the end either: those hear who were told since it last was over. */
async function whoHears(trx: Db, farmId: number, touched: Touched, now: Date): Promise<number[]> {
  if (touched.what === 'came again' || touched.isQuiet === true) return [];
  const mayHear = await accountsWithFlag(trx, farmId, 'notifications', now);
  if (!isAnEnd(touched)) return mayHear;
  const rows = await notifiedSteps(trx, farmId, touched.id)
    .select('n.account_id')
    .where(
      sql<boolean>`s.id > coalesce((select max(o.id) from alert_step o where o.farm_id = ${farmId}
        and o.incident_id = ${touched.id} and o.what = 'ended'), 0)`,
    )
    .execute();
  const heard = new Set(rows.map(({ account_id }) => account_id));
  return mayHear.filter((accountId) => heard.has(accountId) && accountId !== touched.by?.accountId);
}
