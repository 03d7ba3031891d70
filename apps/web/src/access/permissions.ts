import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { meets, type Need, type Permissions } from '@headrace/contract/permissions';
import { call } from '../api/client.ts';
import { useSession } from '../session/use-session.ts';
import { useCurrentFarm } from '../farm/current-farm.ts';

export type FarmPermissions = Permissions & { farmUID: string };

export const permissionsQuery = queryOptions({
  queryKey: ['permissions-list'],
  queryFn: async ({ signal }) =>
    (await call('GET /permissions-list', { signal })).permissions as unknown as FarmPermissions[],
  staleTime: Infinity,
});

/** The permissions came by live message: on opening, and when an owner changes them. */
export function receivePermissions(queryClient: QueryClient, permissions: readonly object[]): void {
  queryClient.setQueryData(permissionsQuery.queryKey, permissions as FarmPermissions[]);
}

/** Closed by default: a farm without a row gives no right. */
export function mayOn(
  all: readonly FarmPermissions[],
  farmUID: string | null | undefined,
  need: Need,
): boolean {
  if (!('anyOf' in need || 'allOf' in need)) return !('operator' in need);
  const mine = all.find((row) => row.farmUID === farmUID);
  return mine !== undefined && meets(mine, need);
}

/** Whether the person may do this on a farm; on the current one when none is named. */
export function useCan(need: Need, farmUID?: string): boolean {
  const { logged } = useSession();
  const current = useCurrentFarm();
  const { data } = useQuery({ ...permissionsQuery, enabled: logged });
  return logged && mayOn(data ?? [], farmUID ?? current?._id, need);
}
