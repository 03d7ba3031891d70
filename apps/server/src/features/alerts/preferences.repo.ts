import { type AlertWays, usualWays } from '@headrace/contract/notification-ways';
import type { QuietHours } from '@headrace/contract/rules/alerts/quiet-hours';
import type { Db } from '../../db/client.ts';

/** When and by which ways somebody wants to hear of alerts. */
export interface Preference {
  readonly quiet: QuietHours | null;
  readonly ways: AlertWays;
  /** In the morning, what was in 24 hours. */
  readonly digest: boolean;
}
const usual: Preference = { quiet: null, ways: usualWays, digest: true };

/** Of these accounts; who has chosen nothing has what is usual. */
export async function readPreferences(
  db: Db,
  accountIds: readonly number[],
): Promise<(accountId: number) => Preference> {
  const rows =
    accountIds.length === 0
      ? []
      : await db
          .selectFrom('alert_preference')
          .selectAll()
          .where('account_id', 'in', [...accountIds])
          .execute();
  const byAccount = new Map(
    rows.map(({ account_id, quiet_from, quiet_to, quiet_zone, ways, digest }) => [
      account_id,
      {
        quiet:
          quiet_from === null || quiet_to === null || quiet_zone === null
            ? null
            : { from: quiet_from, to: quiet_to, zone: quiet_zone },
        ways: ways ?? usualWays,
        digest,
      },
    ]),
  );
  return (accountId) => byAccount.get(accountId) ?? usual;
}

export async function writePreference(
  db: Db,
  accountId: number,
  { quiet, ways, digest }: Preference,
  now: Date,
): Promise<void> {
  const values = {
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    quiet_zone: quiet?.zone ?? null,
    ways: JSON.stringify(ways),
    digest,
    updated_at: now,
  };
  await db
    .insertInto('alert_preference')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}
