import { type AlertWays, usualWays } from '@headrace/contract/notification-ways';
import type { QuietHours } from '@headrace/contract/rules/alerts/quiet-hours';
import type { Db } from '../../db/client.ts';

/** When and by which ways somebody wants to hear of alerts. */
export interface Preference {
  readonly quiet: QuietHours | null;
  readonly ways: AlertWays;
  /** In the morning, what was in 24 hours. */
  readonly digest: boolean;
  /** Told where others did not answer. */
  readonly escalations: boolean;
}

/** Somebody who is told: with the zone of their browser; null: nobody knows it. */
export interface Reader extends Preference {
  readonly zone: string | null;
}

const unknown: Reader = { quiet: null, ways: usualWays, digest: true, escalations: true, zone: null };

/** Of these accounts; who has chosen nothing has what is usual. */
export async function readPreferences(
  db: Db,
  accountIds: readonly number[],
): Promise<(accountId: number) => Reader> {
  const rows =
    accountIds.length === 0
      ? []
      : await db
          .selectFrom('account as a')
          .leftJoin('alert_preference as p', 'p.account_id', 'a.id')
          .select(['a.id', 'a.zone', 'p.quiet_from', 'p.quiet_to', 'p.quiet_zone'])
          .select(['p.ways', 'p.digest', 'p.escalations'])
          .where('a.id', 'in', [...accountIds])
          .execute();
  const byAccount = new Map(
    rows.map(({ id, zone, quiet_from, quiet_to, quiet_zone, ways, digest, escalations }) => [
      id,
      {
        zone,
        quiet:
          quiet_from === null || quiet_to === null || quiet_zone === null
            ? null
            : { from: quiet_from, to: quiet_to, zone: quiet_zone },
        ways: ways ?? usualWays,
        digest: digest ?? true,
        escalations: escalations ?? true,
      },
    ]),
  );
  return (accountId) => byAccount.get(accountId) ?? unknown;
}

export async function writePreference(
  db: Db,
  accountId: number,
  { quiet, ways, digest, escalations }: Preference,
  now: Date,
): Promise<void> {
  const values = {
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    quiet_zone: quiet?.zone ?? null,
    ways: JSON.stringify(ways),
    digest,
    escalations,
    updated_at: now,
  };
  await db
    .insertInto('alert_preference')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
}
