import { keepPreviousData, queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useNow } from '../../ui/clock.ts';
import { useSession } from '../../session/use-session.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { renewAccess } from '../sharing/sharing.queries.ts';

/** Farms by how their name, owner or address begins; those with an open session first. */
export const supportFarmsQuery = (value: string) =>
  queryOptions({
    queryKey: ['support-farms', value],
    queryFn: async ({ signal }) => (await call('GET /support/farms', { query: { value }, signal })).farms,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

/** The staff member's open session on the current farm; null without one. */
export function useSupportSession() {
  const { isStaff } = useSession();
  const farm = useCurrentFarm();
  const now = useNow();
  const { data } = useQuery({ ...supportFarmsQuery(''), enabled: isStaff && farm !== null });
  const found = data?.find(({ farmUID }) => farmUID === farm?._id);
  const isOpen = found?.sessionUntil ? Date.parse(found.sessionUntil) > now : false;
  return isOpen && found ? found : null;
}

/** A session was opened or closed: rights on the farm, and whether it is among one's own, are others. */
export async function renewSupport(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['support-farms'] }),
    renewAccess(queryClient),
  ]);
}
