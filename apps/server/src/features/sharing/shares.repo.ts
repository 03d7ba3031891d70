import { sql, type Updateable } from 'kysely';
import type { Contact, Invite } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { AccountRow, Database, ShareRow } from '../../db/schema.ts';
import type { Invitee } from './contacts.ts';

/** A share with whom and what it is about. */
function withPeople(db: Db) {
  return db
    .selectFrom('share')
    .innerJoin('account as owner', 'owner.id', 'share.owner_id')
    .leftJoin('farm', 'farm.id', 'share.farm_id')
    .leftJoin('account as agent', 'agent.id', 'share.agent_id')
    .leftJoin('account as known', (join) =>
      join
        .onRef('known.email', '=', 'share.email')
        .on('share.agent_id', 'is', null)
        // Anybody may claim an address: who has not proved it is told nothing of what went there.
        .on('known.email_confirmed_at', 'is not', null),
    )
    .selectAll('share')
    .select([
      'owner.name as owner_name',
      'owner.email as owner_email',
      'farm.name as farm_name',
      'farm.uid as farm_uid',
      'farm.icon as farm_icon',
      'farm.description as farm_description',
      'farm.time_zone_id as farm_zone',
      'known.id as known_id',
      sql<string>`coalesce(agent.name, known.name, '')`.as('agent_name'),
      sql<string>`coalesce(agent.email, share.email)`.as('agent_email'),
    ]);
}
export type ShareWithPeople = Awaited<ReturnType<ReturnType<typeof withPeople>['executeTakeFirstOrThrow']>>;

type Asker = Pick<AccountRow, 'id' | 'email' | 'email_confirmed_at'>;

/** Accepted, then rejected, then pending. */
const stateOrder = sql`case share.state when 'accepted' then 0 when 'rejected' then 1 else 2 end`;

/** What an invitation begins with. */
export type NewShare = Pick<
  ShareRow,
  'owner_id' | 'farm_id' | 'template' | 'ends_at' | 'sent_at' | 'created_at'
> & {
  state: 'pending';
  permissions: string;
};

/** Shares. Given to `lock…`, one stays as it is until the transaction ends. */
export function createSharesRepo(db: Db) {
  return {
    sent: (ownerId: number): Promise<ShareWithPeople[]> =>
      withPeople(db)
        .where('share.owner_id', '=', ownerId)
        .orderBy(stateOrder)
        .orderBy(sql`lower(coalesce(agent.name, known.name, share.email))`)
        .orderBy(sql`lower(coalesce(farm.name, ''))`)
        .orderBy('share.id')
        .execute(),

    /** Those that the account accepted or rejected, and those that went to its address, where that is known to be its own. */
    received: (account: Asker): Promise<ShareWithPeople[]> =>
      withPeople(db)
        .where((eb) => {
          const own = eb('share.agent_id', '=', account.id);
          if (!account.email_confirmed_at) return own;
          return eb.or([
            own,
            eb.and([eb('share.agent_id', 'is', null), eb('share.email', '=', account.email)]),
          ]);
        })
        .orderBy(stateOrder)
        .orderBy(sql`lower(owner.name)`)
        .orderBy(sql`lower(coalesce(farm.name, ''))`)
        .orderBy('share.id')
        .execute(),

    byId: (id: number): Promise<ShareWithPeople> =>
      withPeople(db).where('share.id', '=', id).executeTakeFirstOrThrow(),
    byUid: (uid: string): Promise<ShareWithPeople | undefined> =>
      withPeople(db).where('share.uid', '=', uid.toLowerCase()).executeTakeFirst(),
    byKeyHash: (hash: Buffer): Promise<ShareWithPeople | undefined> =>
      withPeople(db).where('share.key_hash', '=', hash).executeTakeFirst(),

    /** Undefined when it was revoked meanwhile. */
    lock: (id: number): Promise<ShareRow | undefined> =>
      db.selectFrom('share').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

    /** The one of this person for the same farm, or the same account as a whole. */
    lockLike: (of: Pick<ShareRow, 'owner_id' | 'farm_id'>, email: string): Promise<ShareRow | undefined> =>
      db
        .selectFrom('share')
        .selectAll()
        .where('owner_id', '=', of.owner_id)
        .where('farm_id', 'is not distinct from', of.farm_id)
        .where('email', '=', email)
        .forUpdate()
        .executeTakeFirst(),

    async add(of: NewShare, { email, contact }: Invitee): Promise<ShareWithPeople> {
      const { id } = await db
        .insertInto('share')
        .values({ ...of, uid: newUid(of.created_at), email, contact: JSON.stringify(contact) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return withPeople(db).where('share.id', '=', id).executeTakeFirstOrThrow();
    },

    change: (id: number, values: Updateable<Database['share']>) =>
      db.updateTable('share').set(values).where('id', '=', id).execute(),

    remove: (id: number) => db.deleteFrom('share').where('id', '=', id).execute(),

    /** One that the agent accepted and that has ended makes room for a new one. */
    removeEnded: (agentId: number, share: Pick<ShareRow, 'owner_id' | 'farm_id'>, now: Date) =>
      db
        .deleteFrom('share')
        .where('agent_id', '=', agentId)
        .where('state', '=', 'accepted')
        .where('owner_id', '=', share.owner_id)
        .where('farm_id', 'is not distinct from', share.farm_id)
        .where('ends_at', '<=', now)
        .execute(),

    /** Whether the agent has accepted a share of the same farm, or the same account as a whole. */
    async has(agentId: number, share: Pick<ShareRow, 'owner_id' | 'farm_id'>, now: Date): Promise<boolean> {
      const row = await db
        .selectFrom('share')
        .select('id')
        .where('agent_id', '=', agentId)
        .where('state', '=', 'accepted')
        .where('owner_id', '=', share.owner_id)
        .where('farm_id', 'is not distinct from', share.farm_id)
        .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]))
        .executeTakeFirst();
      return row !== undefined;
    },

    async contacts(ownerId: number): Promise<Contact[]> {
      const rows = await db
        .selectFrom('share')
        .distinctOn('email')
        .select(['email', 'contact'])
        .where('owner_id', '=', ownerId)
        .orderBy('email')
        .orderBy('created_at', 'desc')
        .execute();
      return rows.map(({ email, contact: { name = '', ...rest } }) => ({ ...rest, name, email }));
    },
  };
}
export type SharesRepo = ReturnType<typeof createSharesRepo>;

/** Whose share it is, by the best name there is. */
export const whomOf = (share: ShareWithPeople): string =>
  share.agent_name || share.contact.name || share.email;

export const toInvite = (share: ShareWithPeople): Invite => ({
  key: share.uid,
  farmName: share.farm_name ?? '',
  farmerName: share.owner_name,
  agentName: share.agent_name,
  email: share.agent_email,
  isAccountShare: share.farm_id === null,
  accepted: share.state === 'accepted',
  rejected: share.state === 'rejected',
  farmUID: share.farm_uid,
  template: share.template,
  sentAt: share.sent_at.toISOString(),
  answeredAt: share.answered_at?.toISOString() ?? null,
  endsAt: share.ends_at?.toISOString() ?? null,
  lastUsedAt: share.last_used_at?.toISOString() ?? null,
});
