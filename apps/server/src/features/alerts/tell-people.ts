import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import { withClock, withShortClock } from '@headrace/contract/rules/alerts/whose-clock';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Messages, Note } from '../messages/messages.ts';
import type { Way } from '../outbox/outbox.repo.ts';
import { issueAnswerKey } from './answer-keys.ts';
import { heardInBellAlone } from './bell-alone.ts';
import { readIncident } from './incident-subject.ts';
import type { Touched } from './life-writer.ts';
import { messageText } from './message-text.ts';
import { readPreferences } from './preferences.repo.ts';
import { waysNow } from './ways-now.ts';
import { isAnEnd, notifiedSteps, whoHears } from './who-hears.ts';

const HOUR_MS = 3_600_000;
/** From then on a message of this class is of no use, ms. */
const OF_USE_MS: Readonly<Record<AlertClass, number>> = {
  urgent: 2 * HOUR_MS,
  important: 6 * HOUR_MS,
  info: 12 * HOUR_MS,
};

/**
 * Tells those who are to hear, in the transaction in which it became so. What waits to be sent of it, and is over or answered, is not
 * sent any more. Whoever has nothing by another way has it in the bell, and the notice says why.
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
  const inBellAlone = touched.what === 'ended' ? await heardInBellAlone(trx, farm.id, touched.id) : null;
  const isSilenced =
    told.snoozedOrPausedUntil !== null && told.snoozedOrPausedUntil > now.getTime() && isHeldBack(touched);
  if (isSilenced) await tellAfterwards(trx, farm.id, touched, now);
  const stepId = await addStep(trx, farm.id, touched, words.message, now);
  const preferenceOf = await readPreferences(trx, hearers);
  for (const accountId of hearers) {
    const why = isSilenced ? 'snoozed' : (inBellAlone?.get(accountId) ?? null);
    const person = { accountId, preference: preferenceOf(accountId), heldBack: why };
    const { ways, heldUntil, heldBack, note } = await waysNow(trx, touched, person, now);
    await trx
      .insertInto('alert_notice')
      .values({
        farm_id: farm.id,
        step_id: stepId,
        account_id: accountId,
        held_until: heldUntil,
        held_back: heldBack,
      })
      .execute();
    const read = readBy(farm, words, person.preference.zone, note, now);
    const message = noteOf(farm, touched, read, keyOf(touched.uid, stepId), now);
    const key = told.isOver ? {} : await keyFor(trx, farm.id, touched, accountId, ways, now);
    await messages.notify(accountId, { ...message, ...key, ways }, now, trx);
    if (ways.length > 0) await dropHeldBack(trx, farm.id, touched.id, accountId);
  }
}

type Texts = Pick<ReturnType<typeof messageText>, 'title' | 'message' | 'sms'>;

/** As a person of a zone reads it; an SMS with what is said of those to come. */
export function readBy(
  farm: FarmRow,
  { title, message, sms }: Texts,
  reader: string | null,
  more: string,
  now: Date,
): Texts {
  const zone = toZone(farm);
  return {
    title,
    message: withClock(message, reader, zone, now.getTime()),
    sms: `${withShortClock(sms, reader, zone, now.getTime())} ${more}`.trim(),
  };
}

export const noteOf = (
  farm: Pick<FarmRow, 'uid'>,
  { uid, what, class: of }: Touched,
  words: Pick<Note, 'title' | 'message' | 'sms'>,
  dedupeKey: string,
  now: Date,
): Note => ({
  ...words,
  link: `/alerts?farm=${farm.uid}&incident=${uid}`,
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
  return {
    answerKey: await issueAnswerKey(
      trx,
      { farmId, incidentId: touched.id, accountId, class: touched.class },
      now,
    ),
  };
}

/** By a snooze or a pause: that it begins, is so still, or more of it is. */
const isHeldBack = ({ what }: Touched) =>
  what === 'began' ||
  what === 'repeated' ||
  what === 'asked again' ||
  what === 'joined' ||
  what === 'comes and goes';

export const keyOf = (incidentUid: string, stepId: string) => `alert ${incidentUid} ${stepId}`;

/** What a snooze or a pause holds back is due at once when that is over, if it is still so. Not what isn't told one by one. */
async function tellAfterwards(trx: Db, farmId: number, { id, what, isQuiet }: Touched, now: Date) {
  if (isQuiet === true || what === 'joined') return;
  await trx
    .updateTable('alert_incident')
    .set({ next_step_at: now })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .execute();
}

/** What was held back of it for somebody's quiet hours is no news any more: they were sent how it is now. */
const dropHeldBack = (trx: Db, farmId: number, id: string, accountId: number) =>
  sql`update alert_notice n set held_until = null from alert_step s
    where n.farm_id = ${farmId} and n.account_id = ${accountId} and n.held_until is not null
      and s.farm_id = n.farm_id and s.id = n.step_id and s.incident_id = ${id}`.execute(trx);

const stopRepeats = (trx: Db, farmId: number, id: string) =>
  trx
    .updateTable('alert_incident')
    .set({ next_step_at: null, escalate_at: null })
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .execute();

async function addStep(
  trx: Db,
  farmId: number,
  { id, what, by }: Touched,
  message: string,
  now: Date,
): Promise<string> {
  const step = await trx
    .insertInto('alert_step')
    .values({
      farm_id: farmId,
      incident_id: id,
      at: now,
      what,
      by_account: by?.accountId ?? null,
      note: by?.from ?? message,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return step.id;
}

async function notifiedStepIds(trx: Db, farmId: number, incidentId: string): Promise<string[]> {
  const rows = await notifiedSteps(trx, farmId, incidentId).select('s.id').execute();
  return rows.map(({ id }) => id);
}
