import { SECOND_STEP_GRACE_DAYS } from '@headrace/contract/limits';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import type { Caller } from '../../http/access-gate.ts';
import type { Mail } from '../messages/messages.ts';
import { asNote, secondStepMails } from './second-step-mails.ts';
import { createSharersSecondStepRepo, type Sharer } from './sharers-second-step.repo.ts';
import { rightsChanged, type SharingContext } from './sharing-context.ts';

const GRACE_MS = SECOND_STEP_GRACE_DAYS * 86_400_000;
const withNone = (sharers: readonly Sharer[]) => sharers.filter((one) => !one.hasSecondStep);

/** Owners may ask those with whom they share farms for a second step of signing in. */
export function createSharersSecondStep(context: SharingContext) {
  const { db, messages } = context;
  const repo = createSharersSecondStepRepo(db);

  /** In the bell and by mail, whatever ways they have on: who is shut out must know why. */
  async function tellPeople(sharers: readonly Sharer[], mailTo: (one: Sharer) => Mail, now: Date, trx: Db) {
    for (const one of sharers) {
      const mail = mailTo(one);
      await messages.notify(one.id, asNote(mail), now, trx);
      if (!one.hearsByMail) await messages.mail({ ...mail, isMinor: true }, now, trx);
    }
  }

  async function state({ accountId }: Pick<Caller, 'accountId'>, now: Date): Promise<SharersSecondStep> {
    const own = await repo.ofOwner(accountId);
    const sharers = await repo.sharersOf(accountId, now);
    return {
      from: own.from?.toISOString() ?? null,
      hasOwn: own.since !== null,
      people: sharers.map(({ name, email, hasSecondStep }) => ({ name, email, hasSecondStep })),
      askedBy: await repo.askedBy(accountId, now),
      requiredBy: (await repo.askersOf(accountId, now)).map(({ name, from }) => ({
        owner: name,
        from: from.toISOString(),
      })),
    };
  }

  return {
    state,

    /** Those who have none are told, and have a week. Asking again changes nothing. */
    async set(caller: Caller, isRequired: boolean, now: Date): Promise<SharersSecondStep> {
      const sharers = await repo.sharersOf(caller.accountId, now);
      const from = isRequired ? new Date(now.getTime() + GRACE_MS) : null;
      await db.transaction().execute(async (trx) => {
        const inTrx = createSharersSecondStepRepo(trx);
        if (!(await inTrx.ask(caller.accountId, from, now))) return;
        const owner = await inTrx.ofOwner(caller.accountId);
        const mailTo = (one: Sharer) =>
          from ? secondStepMails.asked(one, { ...owner, from }) : secondStepMails.notAsked(one, owner);
        await tellPeople(withNone(sharers), mailTo, now, trx);
      });
      for (const { id } of sharers) await rightsChanged(context, id);
      return state(caller, now);
    },

    /** The account's last factor was removed: which farms that shuts is told at once. */
    async ended(accountId: number, now: Date, trx: Db): Promise<void> {
      const inTrx = createSharersSecondStepRepo(trx);
      const [askers, one] = [await inTrx.askersOf(accountId, now), await inTrx.sharer(accountId)];
      if (one && askers.length > 0)
        await tellPeople([one], (to) => secondStepMails.ended(to, askers, now), now, trx);
    },

    /** Who has none and accepts a share of an owner who asks for one, which others were told before. */
    async accepted(accountId: number, ownerId: number, now: Date, trx: Db): Promise<void> {
      const inTrx = createSharersSecondStepRepo(trx);
      const owner = (await inTrx.askersOf(accountId, now)).find(({ id }) => id === ownerId);
      const one = await inTrx.sharer(accountId);
      if (!owner || !one || one.hasSecondStep) return;
      const kind = owner.from <= now ? 'shut' : 'asked';
      await tellPeople([one], (to) => secondStepMails[kind](to, owner), now, trx);
    },

    /** Reminds everybody a day before, and tells on open pages when it has begun. */
    async remind(now: Date): Promise<void> {
      const shut = await db.transaction().execute(async (trx) => {
        const inTrx = createSharersSecondStepRepo(trx);
        const ids: number[] = [];
        for (const owner of await inTrx.toTell(now)) {
          const people = withNone(await inTrx.sharersOf(owner.id, now));
          if (people.length === 0) continue;
          await tellPeople(people, (one) => secondStepMails[owner.told](one, owner), now, trx);
          await messages.notify(owner.id, asNote(secondStepMails.toOwner(owner, people)), now, trx);
          if (owner.told === 'shut') ids.push(...people.map(({ id }) => id));
        }
        return ids;
      });
      for (const id of new Set(shut)) await rightsChanged(context, id);
    },
  };
}
export type SharersSecondStepService = ReturnType<typeof createSharersSecondStep>;
