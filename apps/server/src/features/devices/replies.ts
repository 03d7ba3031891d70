import type { Endpoint } from '@headrace/contract/endpoint';
import type { Call } from '../../http/mount.ts';
import { pageOf } from '../../http/page-of.ts';
import type { By } from './device-records.ts';

/** Who calls, when, and from which open page. */
export const byOf = ({ caller, now, request }: Pick<Call<Endpoint>, 'caller' | 'now' | 'request'>): By => ({
  accountId: caller.accountId,
  now,
  page: pageOf(request),
});
export const success = { success: true } as const;
