import { type AlertKind, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import { quietUntil } from '@headrace/contract/rules/alerts/quiet-hours';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Note } from '../messages/messages.ts';
import type { Way } from '../outbox/outbox.repo.ts';
import { readPreferences } from './preferences.repo.ts';
import { waysFor } from './ways-now.ts';

export interface FloodKind {
  readonly kind: AlertKind;
  readonly count: number;
}

export interface FloodHearer {
  readonly accountId: number;
  /** Those of what is important: what is urgent is told by itself. */
  readonly ways: readonly Way[];
  readonly isQuiet: boolean;
}

export async function hearersOfFlood(trx: Db, farmId: number, now: Date): Promise<FloodHearer[]> {
  const accountIds = await accountsWithFlag(trx, farmId, 'notifications', now);
  const preferenceOf = await readPreferences(trx, accountIds);
  return accountIds.map((accountId) => {
    const preference = preferenceOf(accountId);
    return {
      accountId,
      ways: waysFor({ what: 'began', class: 'important' }, preference),
      isQuiet: preference.quiet !== null && quietUntil(preference.quiet, now.getTime()) !== null,
    };
  });
}

interface FloodTexts {
  readonly first: string;
  readonly last: string;
  readonly expiresAt: Date;
  /** What tells this message from others of the farm's floods. */
  readonly key: number | string;
}

/** What the keys of all floods of a farm begin with. */
export const keyOfFloods = ({ uid }: Pick<FarmRow, 'uid'>) => `alert flood ${uid} `;

export function messageOfFlood(
  farm: Pick<FarmRow, 'name' | 'uid'>,
  kinds: readonly FloodKind[],
  { first, last, expiresAt, key }: FloodTexts,
): Note {
  const count = kinds.reduce((sum, { count: of }) => sum + of, 0);
  const listed = kinds.map(({ kind, count: of }) => `${of} ${alertKindInfo[kind].label.toLowerCase()}`);
  return {
    title: `${farm.name}: ${count} alerts at once`.slice(-60),
    message: `${first}: ${listed.join(', ')}. ${last}`,
    link: `/alerts?farm=${farm.uid}`,
    alert: true,
    dedupeKey: `${keyOfFloods(farm)}${key}`,
    expiresAt,
  };
}
