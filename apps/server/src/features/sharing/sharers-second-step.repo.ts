import { sql } from 'kysely';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import { holds } from '../access/share-holds.ts';

const DAY = 86_400_000;

/** Somebody with whom farms are shared. */
export interface Sharer {
  id: number;
  name: string;
  email: string;
  hasSecondStep: boolean;
  /** Gets what is in the bell by mail too. */
  hearsByMail: boolean;
}

export interface Asker {
  id: number;
  name: string;
  email: string;
  from: Date;
}
export type AskingOwner = Asker & { told: 'soon' | 'shut' };

const SHARER = sql`a.id, a.name, a.email, a.second_step_since is not null as "hasSecondStep",
  a.send_email and a.email_confirmed_at is not null as "hearsByMail"`;

/** Who asks whom for a second step of signing in. */
export const createSharersSecondStepRepo = (db: Db) => ({
  ofOwner: (ownerId: number) =>
    db
      .selectFrom('account')
      .select(['name', 'email', 'sharing_second_step_from as from', 'second_step_since as since'])
      .where('id', '=', ownerId)
      .executeTakeFirstOrThrow(),

  /** False: it was so already. */
  async ask(ownerId: number, from: Date | null, now: Date): Promise<boolean> {
    const row = await db
      .updateTable('account')
      .set({ sharing_second_step_from: from, sharing_second_step_told: null, updated_at: now })
      .where('id', '=', ownerId)
      .where('sharing_second_step_from', from === null ? 'is not' : 'is', null)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  },

  /** Each once: those for whom it begins within a day, and those for whom it has begun. */
  async toTell(now: Date): Promise<AskingOwner[]> {
    const soon = new Date(now.getTime() + DAY);
    const { rows } = await sql<AskingOwner>`
      update account set sharing_second_step_told = due.told
      from (select id, case when sharing_second_step_from <= ${now} then 'shut' else 'soon' end as told from account
        where sharing_second_step_from is not null and sharing_second_step_from <= ${soon}) due
      where account.id = due.id and account.sharing_second_step_told is distinct from due.told
      returning account.id, account.name, account.email, account.sharing_second_step_from as "from", due.told`.execute(
      db,
    );
    return rows;
  },

  /** Who has none comes first. */
  async sharersOf(ownerId: number, now: Date): Promise<Sharer[]> {
    const { rows } = await sql<Sharer>`
      select ${SHARER} from account a
      where exists (select from share s where s.agent_id = a.id and s.owner_id = ${ownerId}
        and s.state = 'accepted' and (s.ends_at is null or s.ends_at > ${now}))
      order by a.second_step_since is not null, lower(a.name), a.id`.execute(db);
    return rows;
  },

  async sharer(accountId: number): Promise<Sharer | undefined> {
    const { rows } = await sql<Sharer>`select ${SHARER} from account a where a.id = ${accountId}`.execute(db);
    return rows[0];
  },

  /** The owners who ask it of this account, whether it has one or not. */
  async askersOf(accountId: number, now: Date): Promise<Asker[]> {
    const { rows } = await sql<Asker>`
      select o.id, o.name, o.email, o.sharing_second_step_from as "from" from account o
      where o.sharing_second_step_from is not null and exists (select from share
        where share.owner_id = o.id and share.agent_id = ${accountId} and ${holds('share', now)})
      order by lower(o.name), o.id`.execute(db);
    return rows;
  },

  /** None where the account has a second step. */
  async askedBy(accountId: number, now: Date): Promise<SharersSecondStep['askedBy']> {
    const { rows } = await sql<{
      owner: string;
      farms: SharersSecondStep['askedBy'][number]['farms'] | null;
      from: Date;
    }>`
      select o.name as owner, o.sharing_second_step_from as "from",
        (select json_agg(json_build_object('farmUID', f.uid, 'farmName', f.name) order by lower(f.name), f.id)
          from farm f where f.owner_id = o.id and f.deleted_at is null
            and (bool_or(s.farm_id is null) or f.id = any (array_agg(s.farm_id)))) as farms
      from share s join account o on o.id = s.owner_id
      where s.agent_id = ${accountId} and s.state = 'accepted' and (s.ends_at is null or s.ends_at > ${now})
        and o.sharing_second_step_from is not null
        and exists (select from account me where me.id = ${accountId} and me.second_step_since is null)
      group by o.id order by lower(o.name), o.id`.execute(db);
    return rows.map(({ owner, farms, from }) => ({ owner, farms: farms ?? [], from: from.toISOString() }));
  },
});
