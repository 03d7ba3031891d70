import type { Db } from '../../db/client.ts';
import type { Messages } from '../messages/messages.ts';
import type { AnswersService } from '../alerts/answers.service.ts';
import { createMessageProgress } from '../outbox/message-progress.ts';
import type { SmsProviderName, SmsReceipt, SmsReply } from '../outbox/sms-providers.ts';
import { wishIn } from './reply-keywords.ts';
import {
  accountsOfNumber,
  peopleOfSms,
  type ReplyId,
  setWantsSms,
  smsAnsweredBy,
  takeReply,
} from './sms-replies.repo.ts';

/** Whoever replied waits for it, ms. */
const OF_USE_MS = 30 * 60_000;
const HOUR_MS = 3_600_000;

export interface SmsRepliesParts {
  readonly messages: Pick<Messages, 'notify' | 'sms'>;
  readonly answers: Pick<AnswersService, 'bySms'>;
  /** The preferences of an account are others now. */
  readonly onChanged: (accountId: number) => void;
}

/** What became of SMS, and what people wrote back. */
export function createSmsRepliesService(db: Db, { messages, answers, onChanged }: SmsRepliesParts) {
  async function setWants(trx: Db, number: string, wants: boolean, now: Date): Promise<number[]> {
    const changed = (await setWantsSms(trx, number, wants, now)).map(({ id }) => id);
    const message = wants
      ? `SMS come to ${number} again, as its reply START asked.`
      : `No more SMS to ${number}: its reply STOP ended them. Settings, then Alerts, or the reply START brings them back.`;
    for (const id of changed)
      await messages.notify(id, { title: 'SMS', message, ways: wants ? [] : ['push', 'mail'] }, now, trx);
    return changed;
  }

  /** The last that this number was told, and no other, even where that has somebody; whoever asked hears what became of it. */
  async function answer(reply: ReplyId, number: string, now: Date): Promise<void> {
    const smsId = await smsAnsweredBy(db, reply, number, now);
    for (const told of smsId === null ? [] : await peopleOfSms(db, smsId, number)) {
      const { text, alert } = await answers.bySms(told, now);
      if (!alert) continue;
      // A provider that got no answer from us says it again.
      const dedupeKey = `sms reply ${told.uid} ${text}`;
      const expiresAt = new Date(now.getTime() + OF_USE_MS);
      return messages.sms(
        { ...told.to, text: `Headrace: ${text} ${alert.title}`, dedupeKey, expiresAt },
        now,
      );
    }
    await nothingToAnswer(number, now);
  }

  /** Once an hour: two machines that reply to each other would not end. */
  async function nothingToAnswer(number: string, now: Date): Promise<void> {
    const account = (await accountsOfNumber(db, number)).find(({ send_sms }) => send_sms);
    if (!account) return;
    const { country_code: countryCode, mobile } = account;
    const dedupeKey = `sms reply nothing ${number} ${Math.floor(now.getTime() / HOUR_MS)}`;
    const expiresAt = new Date(now.getTime() + OF_USE_MS);
    await messages.sms({ countryCode, mobile, text: NOTHING_TO_ANSWER, dedupeKey, expiresAt }, now);
  }

  async function notUnderstood(trx: Db, number: string, now: Date): Promise<void> {
    for (const { id } of await accountsOfNumber(trx, number))
      await messages.notify(id, { title: 'SMS', message: NOT_UNDERSTOOD, ways: [] }, now, trx);
  }

  return {
    async receipt(receipt: SmsReceipt, now: Date): Promise<void> {
      await createMessageProgress(db).setReceipt(receipt, now);
    },

    /** Of a number that nobody here has, nothing becomes. */
    async reply(provider: SmsProviderName, { id, from, text }: SmsReply, now: Date): Promise<void> {
      const [reply, wish] = [{ provider, id }, wishIn(text)];
      if (wish === 'answer') return answer(reply, from, now);
      const changed = await db.transaction().execute(async (trx) => {
        if (!(await takeReply(trx, reply, null, now))) return [];
        if (wish !== null) return setWants(trx, from, wish === 'start', now);
        await notUnderstood(trx, from, now);
        return [];
      });
      for (const accountId of changed) onChanged(accountId);
    },
  };
}
export type SmsRepliesService = ReturnType<typeof createSmsRepliesService>;

const NOT_UNDERSTOOD =
  'Your SMS was not understood, and nothing came of it. Reply OK when you are on it, STOP to get no more SMS.';
const NOTHING_TO_ANSWER =
  'Headrace: Nothing to answer. The last alert to this number is too old, or its farm is not yours any more. Open the app to see what is so.';
