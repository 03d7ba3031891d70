import { alertMessage, alertTitle, endMessage } from '@headrace/contract/rules/alerts/alert-texts';
import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Messages } from '../messages/messages.ts';
import type { Way } from '../outbox/outbox.repo.ts';
import { readTold, type ToldIncident } from './told-incident.ts';
import type { Touched } from './life-writer.ts';

const HOUR_MS = 3_600_000;
/** From then on a message of this class is of no use, ms. */
const OF_USE_MS: Readonly<Record<AlertClass, number>> = {
  urgent: 2 * HOUR_MS,
  important: 6 * HOUR_MS,
  info: 12 * HOUR_MS,
};
/** Beside the bell, of the ways that a person has on. */
const waysOf: Readonly<Record<AlertClass, readonly Way[]>> = {
  urgent: ['push', 'sms', 'mail'],
  important: ['push', 'mail'],
  info: [],
};

/** What people read of it, and the sentence of the timeline. */
export function wordsOf(
  farm: FarmRow,
  told: ToldIncident,
  { what, why }: Pick<Touched, 'what' | 'why'>,
  now: number,
) {
  const zone = toZone(farm);
  const { alert, episodes } = told;
  const title = alertTitle(farm.name, alert, episodes);
  const message = alertMessage(alert, episodes, zone, now);
  switch (what) {
    case 'began':
      return { title, message };
    case 'comes and goes':
      return { title, message: `It came and went ${episodes.length} times within six hours. ${message}` };
    case 'got worse':
      return { title, message: `It got worse. ${message}` };
    case 'asked again':
      return { title, message: `It is still so. ${message}` };
    case 'ended': {
      const end = why ? `${title}: ${why}.` : (endMessage(alert, episodes, zone, now) ?? message);
      return { title: `${title} – over`.slice(0, 60), message: end };
    }
    default:
      return what satisfies never;
  }
}

/**
 * Tells everybody who may hear of the farm, in the transaction in which it became so; of an end those who were told the beginning. What
 * waits to be sent of it and is over is not sent any more.
 */
export async function tellPeople(
  trx: Db,
  messages: Pick<Messages, 'notify' | 'cancel'>,
  farm: FarmRow,
  touched: Touched,
  now: Date,
): Promise<void> {
  const told = await readTold(trx, farm.id, touched.id);
  if (!told) return;
  const { title, message } = wordsOf(farm, told, touched, now.getTime());
  const before = touched.what === 'ended' ? await earlierSteps(trx, farm.id, touched.id) : [];
  for (const stepId of before) await messages.cancel(keyOf(touched.uid, stepId), {}, trx);
  const { id: stepId } = await trx
    .insertInto('alert_step')
    .values({
      farm_id: farm.id,
      incident_id: touched.id,
      at: now,
      what: touched.what,
      by_account: null,
      note: message,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const accountId of await whoHears(trx, farm.id, touched, now)) {
    await trx
      .insertInto('alert_notice')
      .values({ farm_id: farm.id, step_id: stepId, account_id: accountId })
      .execute();
    await messages.notify(
      accountId,
      {
        title,
        message,
        link: `/alerts?incident=${touched.uid}`,
        alert: touched.what !== 'ended',
        dedupeKey: keyOf(touched.uid, stepId),
        expiresAt: new Date(now.getTime() + OF_USE_MS[touched.class]),
        ways: waysOf[touched.class],
        topic: touched.uid,
        ...(touched.class === 'urgent' && { isUrgent: true as const }),
      },
      now,
      trx,
    );
  }
}

export const keyOf = (incidentUid: string, stepId: string) => `alert ${incidentUid} ${stepId}`;

async function earlierSteps(trx: Db, farmId: number, incidentId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('alert_step')
    .select('id')
    .where('farm_id', '=', farmId)
    .where('incident_id', '=', incidentId)
    .execute();
  return rows.map(({ id }) => id);
}

async function whoHears(trx: Db, farmId: number, { what, id }: Touched, now: Date): Promise<number[]> {
  const mayHear = await accountsWithFlag(trx, farmId, 'notifications', now);
  if (what !== 'ended') return mayHear;
  const rows = await trx
    .selectFrom('alert_notice as n')
    .innerJoin('alert_step as s', (join) =>
      join.onRef('s.farm_id', '=', 'n.farm_id').onRef('s.id', '=', 'n.step_id'),
    )
    .select('n.account_id')
    .distinct()
    .where('n.farm_id', '=', farmId)
    .where('s.incident_id', '=', id)
    .execute();
  const heard = new Set(rows.map(({ account_id }) => account_id));
  return mayHear.filter((accountId) => heard.has(accountId));
}
