import { type Expression, sql } from 'kysely';

/** Spelled out, so that the indexes over accepted shares are used. */
export const holds = (share: 'own' | 'whole' | 'share', now: Date) => {
  const column = (name: string) => sql.ref(`${share}.${name}`);
  const endsAt = column('ends_at');
  return sql<boolean>`${column('state')} = 'accepted' and (${endsAt} is null or ${endsAt} > ${now})`;
};

/** The owner asks for a second step of signing in, and the account has none: from then on what was shared gives nothing. Null: it goes on. */
export const shutFrom = (
  accountId: number | Expression<number>,
  owner: SharedBy = 'farm',
) => sql<Date | null>`(
  select o.sharing_second_step_from from account o where o.id = ${sql.ref(`${owner}.owner_id`)}
    and exists (select from account me where me.id = ${accountId} and me.second_step_since is null))`;

/** The owner that this row has. */
type SharedBy = 'farm' | 'share';

/** What this owner shares with the account gives nothing now: whoever reads shares apart from grants asks it besides `holds`. */
export const isShut = (accountId: number | Expression<number>, owner: SharedBy, now: Date) =>
  sql<boolean>`coalesce(${shutFrom(accountId, owner)} <= ${now}, false)`;
