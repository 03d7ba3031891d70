import type { AskedAlert, MessageAnswer } from '@headrace/contract/alert-answers';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import { readAnswerKey, readFarm } from './answer-keys.ts';
import type { IncidentsService } from './incidents.service.ts';

const fromTexts = {
  link: 'By the link in a message.',
  push: 'From an instant message.',
  sms: 'By SMS.',
} as const;
type AnswerFrom = keyof typeof fromTexts;

interface Holder {
  readonly farm: FarmRow;
  readonly uid: string;
  readonly accountId: number;
  readonly name: string;
}

export interface Answered {
  readonly alert: AskedAlert | null;
  readonly text: string;
}

/** Answers from messages: whoever holds a key is its person, of one incident, while they are still told of the farm. */
export function createAnswersService(db: Db, incidents: IncidentsService) {
  async function holderOf(key: string, now: Date): Promise<Holder | null> {
    const found = await readAnswerKey(db, key, now);
    if (!found) return null;
    return withFarm(found.farm_id, { uid: found.uid, accountId: found.account_id, name: found.name }, now);
  }

  async function withFarm(farmId: number, of: Omit<Holder, 'farm'>, now: Date): Promise<Holder | null> {
    if (!(await accountsWithFlag(db, farmId, 'notifications', now)).includes(of.accountId)) return null;
    const farm = await readFarm(db, farmId);
    return farm ? { ...of, farm } : null;
  }

  async function asked({ farm, uid, name }: Holder, now: Date): Promise<AskedAlert> {
    const { title, message, endedAt, answeredBy, answeredAt, snoozedUntil } = await incidents.get(
      farm,
      uid,
      now,
    );
    const state = endedAt !== null ? 'ended' : answeredBy !== null ? 'answered' : 'open';
    const about = { uid, farmUID: farm.uid, farmName: farm.name, title, message, as: name };
    return { ...about, state, answeredBy, answeredAt, snoozedUntil };
  }

  async function act(holder: Holder, answer: MessageAnswer, from: AnswerFrom, now: Date): Promise<Answered> {
    const { farm, uid, accountId } = holder;
    const by = { accountId, now, page: undefined };
    const { text } =
      answer === 'answer'
        ? await incidents.answer(farm, uid, by, fromTexts[from])
        : await incidents.snooze(farm, uid, answer, by, fromTexts[from]);
    return { alert: await asked(holder, now), text };
  }

  return {
    /** Null for a stranger, and for who is not told of the farm any more. */
    async asked(key: string, now: Date): Promise<AskedAlert | null> {
      const holder = await holderOf(key, now);
      return holder && asked(holder, now);
    },

    /** Of a number that was told it. */
    async bySms(
      { farmId, ...of }: { farmId: number; uid: string; accountId: number; name: string },
      now: Date,
    ): Promise<Answered> {
      const holder = await withFarm(farmId, of, now);
      return holder ? act(holder, 'answer', 'sms', now) : { alert: null, text: '' };
    },

    async byKey(key: string, answer: MessageAnswer, from: AnswerFrom, now: Date): Promise<Answered> {
      const holder = await holderOf(key, now);
      return holder ? act(holder, answer, from, now) : { alert: null, text: '' };
    },
  };
}
export type AnswersService = ReturnType<typeof createAnswersService>;
