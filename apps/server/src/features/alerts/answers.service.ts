import type { answerByKey, AskedAlert, MessageAnswer } from '@headrace/contract/alert-answers';
import type { BodyOf } from '@headrace/contract/endpoint';
import type { AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure } from '../../http/errors.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
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
  /** How urgent it was as they saw it; null: nobody knows. */
  readonly seen: AlertClass | null;
}

export interface Reply {
  readonly alert: AskedAlert | null;
  readonly text: string;
}

const nobody: Reply = { alert: null, text: '' };

/** Answers from messages: whoever holds a key is its person, of one incident, while they are still told of the farm. */
export function createAnswersService(db: Db, incidents: IncidentsService) {
  async function holderOf(key: string, now: Date): Promise<Holder | null> {
    const found = await readAnswerKey(db, key, now);
    if (!found) return null;
    const { uid, account_id: accountId, name, class: seen } = found;
    return withFarm(found.farm_id, { uid, accountId, name, seen }, now);
  }

  async function withFarm(farmId: number, of: Omit<Holder, 'farm'>, now: Date): Promise<Holder | null> {
    if (!(await accountsWithFlag(db, farmId, 'notifications', now)).includes(of.accountId)) return null;
    const farm = await readFarm(db, farmId);
    return farm ? { ...of, farm } : null;
  }

  async function asked({ farm, uid, name }: Holder, now: Date): Promise<AskedAlert> {
    const {
      class: of,
      title,
      message,
      endedAt,
      answeredBy,
      answeredAt,
      snoozedUntil,
    } = await incidents.get(farm, uid, now);
    const state = endedAt !== null ? 'ended' : answeredBy !== null ? 'answered' : 'open';
    const about = {
      uid,
      farmUID: farm.uid,
      farmName: farm.name,
      timezone: toZone(farm),
      title,
      message,
      class: of,
      as: name,
    };
    return { ...about, state, answeredBy, answeredAt, snoozedUntil };
  }

  async function act(holder: Holder, answer: MessageAnswer, from: AnswerFrom, now: Date): Promise<Reply> {
    const { farm, uid, seen, accountId } = holder;
    const by = { accountId, now, page: undefined };
    const { text } =
      answer === 'answer'
        ? await incidents.answer(farm, { uid, seen }, by, fromTexts[from])
        : await incidents.snooze(farm, { uid, seen }, answer, by, fromTexts[from]);
    return { alert: await asked(holder, now), text };
  }

  return {
    /** Null for a stranger, and for who is not told of the farm any more. */
    async asked(key: string, now: Date): Promise<AskedAlert | null> {
      const holder = await holderOf(key, now);
      return holder && asked(holder, now);
    },

    /** Of a number that was told it. That it got worse since is a reply like others. */
    async bySms({ farmId, ...of }: { farmId: number } & Omit<Holder, 'farm'>, now: Date): Promise<Reply> {
      const holder = await withFarm(farmId, of, now);
      if (!holder) return nobody;
      try {
        return await act(holder, 'answer', 'sms', now);
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.code !== 'conflict') throw error;
        return { alert: await asked(holder, now), text: error.message };
      }
    },

    /** Throws conflict where it got worse than the page showed, or the message told. */
    async byKey({ key, answer, from, class: shown }: BodyOf<typeof answerByKey>, now: Date): Promise<Reply> {
      const holder = await holderOf(key, now);
      return holder ? act({ ...holder, seen: shown ?? holder.seen }, answer, from, now) : nobody;
    },
  };
}
export type AnswersService = ReturnType<typeof createAnswersService>;
