import { sql } from 'kysely';
import { SECOND_STEP_GRACE_DAYS } from '@headrace/contract/limits';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import type { Caller } from '../../http/access-gate.ts';
import type { Note } from '../messages/messages.ts';
import type { SharingContext } from './sharing-context.ts';

const GRACE_MS = SECOND_STEP_GRACE_DAYS * 86_400_000;

interface Sharer {
  id: number;
  name: string;
  email: string;
  has_second_step: boolean;
}

/** Owners may ask those with whom they share farms for a second step of signing in. */
export function createSharersSecondStep({ db, messages, accessChanged }: SharingContext) {
  async function state({ accountId }: Pick<Caller, 'accountId'>, now: Date): Promise<SharersSecondStep> {
    const from = await askedFrom(db, accountId);
    const sharers = await sharersOf(db, accountId, now);
    return {
      from: from?.toISOString() ?? null,
      without: sharers.filter((one) => !one.has_second_step).map(({ name, email }) => ({ name, email })),
      askedBy: await askedBy(db, accountId, now),
    };
  }

  return {
    state,

    /** Those who have none are told, and have a week. Asking again changes nothing. */
    async set(caller: Caller, isRequired: boolean, now: Date): Promise<SharersSecondStep> {
      const sharers = await sharersOf(db, caller.accountId, now);
      await db.transaction().execute(async (trx) => {
        const from = new Date(now.getTime() + GRACE_MS);
        const owner = await ask(trx, caller.accountId, isRequired ? from : null, now);
        if (!owner || !isRequired) return;
        for (const one of sharers)
          if (!one.has_second_step) await messages.notify(one.id, askingNote(owner, from), now, trx);
      });
      for (const { id } of sharers) await accessChanged(id);
      return state(caller, now);
    },
  };
}

const askingNote = (owner: string, from: Date): Note => ({
  title: `${owner} asks for two-step sign-in`,
  message: `From ${from.toISOString().slice(0, 10)} on you can open the farms of ${owner} only if your account has a second step of signing in. Set one up in Password & Security. Alerts come as before.`,
  link: '/security',
});

async function askedFrom(db: Db, ownerId: number): Promise<Date | null> {
  const { from } = await db
    .selectFrom('account')
    .select('sharing_second_step_from as from')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return from;
}

/** The owner's name; undefined: it was so already. */
async function ask(trx: Db, ownerId: number, from: Date | null, now: Date): Promise<string | undefined> {
  const row = await trx
    .updateTable('account')
    .set({ sharing_second_step_from: from, updated_at: now })
    .where('id', '=', ownerId)
    .where('sharing_second_step_from', from === null ? 'is not' : 'is', null)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

async function sharersOf(db: Db, ownerId: number, now: Date): Promise<Sharer[]> {
  const { rows } = await sql<Sharer>`
    select distinct a.id, a.name, a.email, a.second_step_since is not null as has_second_step, lower(a.name) as by_name
    from share s join account a on a.id = s.agent_id
    where s.owner_id = ${ownerId} and s.state = 'accepted' and (s.ends_at is null or s.ends_at > ${now})
    order by by_name, a.id`.execute(db);
  return rows;
}

/** None where the account has a second step. */
async function askedBy(db: Db, accountId: number, now: Date): Promise<SharersSecondStep['askedBy']> {
  const { rows } = await sql<{ owner: string; farms: string[]; from: Date }>`
    select o.name as owner, o.sharing_second_step_from as "from",
      array_agg(distinct f.name) filter (where f.id is not null) as farms
    from share s join account o on o.id = s.owner_id
      left join farm f on f.owner_id = o.id and f.deleted_at is null and (s.farm_id is null or s.farm_id = f.id)
    where s.agent_id = ${accountId} and s.state = 'accepted' and (s.ends_at is null or s.ends_at > ${now})
      and o.sharing_second_step_from is not null
      and exists (select from account me where me.id = ${accountId} and me.second_step_since is null)
    group by o.id order by o.name, o.id`.execute(db);
  return rows.map(({ owner, farms, from }) => ({ owner, farms: farms ?? [], from: from.toISOString() }));
}
