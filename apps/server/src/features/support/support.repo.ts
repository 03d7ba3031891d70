import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Database } from '../../db/schema.ts';

const FARMS_MAX = 20;

/** Locked: one session of a staff member is opened at a time. */
export const lockStaff = (trx: Db, accountId: number): Promise<{ id: number; name: string }> =>
  trx
    .selectFrom('account')
    .select(['id', 'name'])
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

export const addSession = (trx: Db, session: Insertable<Database['support_session']>) =>
  trx.insertInto('support_session').values(session).execute();

export interface Closed {
  account_id: number;
  staff_name: string;
  owner_id: number;
  farm_id: number;
  farm_name: string;
  ends_at: Date;
}

/** Those of a staff member on a farm, or all whose hour is over by then. */
export type WhichSessions = { accountId: number; farmId: number } | { endedBy: Date };

export function closeRows(trx: Db, which: WhichSessions, now: Date): Promise<Closed[]> {
  let update = trx
    .updateTable('support_session as session')
    .from('account as staff')
    .from('farm')
    .set({ closed_at: now })
    .whereRef('staff.id', '=', 'session.account_id')
    .whereRef('farm.id', '=', 'session.farm_id')
    .where('session.closed_at', 'is', null);
  update =
    'endedBy' in which
      ? update.where('session.ends_at', '<=', which.endedBy)
      : update.where('session.account_id', '=', which.accountId).where('session.farm_id', '=', which.farmId);
  return update
    .returning([
      'session.account_id',
      'staff.name as staff_name',
      'farm.owner_id',
      'farm.id as farm_id',
      'farm.name as farm_name',
      'session.ends_at',
    ])
    .execute();
}

/** By uid, or by the beginning of its name, its owner's name or e-mail; those with an open session first. */
export function farmsFor(db: Db, staffId: number, now: Date, which: { uid: string } | { beginning: string }) {
  const query = db
    .selectFrom('farm')
    .innerJoin('account as owner', 'owner.id', 'farm.owner_id')
    .leftJoin('support_session as session', (join) =>
      join
        .onRef('session.farm_id', '=', 'farm.id')
        .on('session.account_id', '=', staffId)
        .on('session.closed_at', 'is', null)
        .on('session.ends_at', '>', now),
    )
    .where('farm.deleted_at', 'is', null)
    .select([
      'farm.id',
      'farm.uid',
      'farm.name',
      'farm.owner_id',
      'owner.name as owner_name',
      'owner.email as owner_email',
      'session.ends_at as session_until',
    ])
    .orderBy(sql`session.id is null`)
    .orderBy(sql`lower(farm.name)`)
    .orderBy('farm.id')
    .limit(FARMS_MAX);
  if ('uid' in which) return query.where('farm.uid', '=', which.uid).execute();
  const text = which.beginning.trim().toLowerCase();
  return query
    .where(
      sql<boolean>`(starts_with(lower(farm.name), ${text}) or starts_with(lower(owner.name), ${text})
        or starts_with(owner.email, ${text}))`,
    )
    .execute();
}
export type FarmFor = Awaited<ReturnType<typeof farmsFor>>[number];
