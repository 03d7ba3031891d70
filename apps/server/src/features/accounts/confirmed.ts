import type { AccountRow } from '../../db/schema.ts';

/** What a followed link of a mail says of an account: the address is this person's. It stays known since the first time. */
export const confirmed = (account: Pick<AccountRow, 'email_confirmed_at'>, now: Date) => ({
  email_confirmed_at: account.email_confirmed_at ?? now,
});
