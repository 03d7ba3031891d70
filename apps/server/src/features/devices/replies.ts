import type { Endpoint } from '@headrace/contract/endpoint';
import type { Call } from '../../http/mount.ts';
import type { By } from './device-records.ts';

/** Who calls, and when. */
export const byOf = ({ caller, now }: Pick<Call<Endpoint>, 'caller' | 'now'>): By => ({
  accountId: caller.accountId,
  now,
});
export const success = { success: true } as const;
