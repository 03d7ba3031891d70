import type { Db } from '../../db/client.ts';
import type { Messages } from '../messages/messages.ts';
import type { AnswersService } from '../alerts/answers.service.ts';
import { createMessageProgress } from '../outbox/message-progress.ts';
import type { SmsReceipt, SmsReply } from '../outbox/sms-providers.ts';
import { wishIn } from './reply-words.ts';
import { accountsOfNumber, newestAlertTo, setWantsSms } from './sms-replies.repo.ts';

/** Whoever replied waits for it, ms. */
const OF_USE_MS = 30 * 60_000;

export interface SmsRepliesParts {
  readonly messages: Pick<Messages, 'notify' | 'sms'>;
  readonly answers: Pick<AnswersService, 'bySms'>;
  /** The preferences of an account are others now. */
  readonly onChanged: (accountId: number) => void;
}

/** What became of SMS, and what people wrote back. */
export function createSmsRepliesService(db: Db, { messages, answers, onChanged }: SmsRepliesParts) {
  async function setWants(number: string, wants: boolean, now: Date): Promise<void> {
    for (const { id } of await setWantsSms(db, number, wants, now)) {
      onChanged(id);
      const message = wants
        ? `SMS come to ${number} again, as its reply START asked.`
        : `No more SMS to ${number}: its reply STOP ended them. Settings, then Alerts, or the reply START brings them back.`;
      await messages.notify(id, { title: 'SMS', message, ways: wants ? [] : ['push', 'mail'] }, now);
    }
  }

  /** The newest that this number was told and that is so still; whoever asked hears what became of it. */
  async function answer(number: string, now: Date): Promise<void> {
    const told = await newestAlertTo(db, number, now);
    if (!told) return;
    const { text, alert } = await answers.bySms(told, now);
    if (!alert) return;
    // A provider that got no answer from us says it again.
    const dedupeKey = `sms reply ${told.uid} ${text}`;
    const expiresAt = new Date(now.getTime() + OF_USE_MS);
    await messages.sms({ ...told.to, text: `Headrace: ${text} ${alert.title}`, dedupeKey, expiresAt }, now);
  }

  return {
    async receipt(receipt: SmsReceipt, now: Date): Promise<void> {
      await createMessageProgress(db).setReceipt(receipt, now);
    },

    /** Of a number that nobody here has, nothing becomes. */
    async reply({ from, text }: SmsReply, now: Date): Promise<void> {
      const wish = wishIn(text);
      if (wish === 'stop' || wish === 'start') return setWants(from, wish === 'start', now);
      if (wish === 'answer') return answer(from, now);
      for (const { id } of await accountsOfNumber(db, from))
        await messages.notify(id, { title: 'SMS', message: NOT_UNDERSTOOD, ways: [] }, now);
    },
  };
}
export type SmsRepliesService = ReturnType<typeof createSmsRepliesService>;

const NOT_UNDERSTOOD =
  'Your SMS was not understood, and nothing came of it. Reply OK when you are on it, STOP to get no more SMS.';
