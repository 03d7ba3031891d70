import { notFound, redirect } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import type { Need } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery } from '../features/access/permissions.ts';
import { loadCurrentFarm } from '../features/farms/current-farm.ts';
import { farmsCardQuery } from '../features/farms/farms.queries.ts';
import { saveSettings } from '../features/settings/settings.queries.ts';

/** What a route knows of a visit. */
export interface Visit {
  context: { queryClient: QueryClient };
  search: { farm?: string | undefined };
  preload: boolean;
}

/**
 * A page about the current farm. `?farm=` in the address makes that farm the current one, so that a link shows the
 * same farm to whoever follows it; a farm one may not read is as if it weren't there.
 */
export async function enterOnFarm(need: Need, { context, search, preload }: Visit): Promise<void> {
  const { queryClient } = context;
  const { farm } = search;
  const [permissions, farms, current] = await Promise.all([
    queryClient.ensureQueryData(permissionsQuery),
    queryClient.ensureQueryData(farmsCardQuery),
    loadCurrentFarm(queryClient),
  ]);
  if (farm !== undefined && !farms.some((card) => card._id === farm)) throw notFound();
  // A page that is only loaded ahead, because its link is pointed at, changes nothing.
  if (farm !== undefined && farm !== current?._id && !preload) saveSettings(queryClient, { currFarm: farm });
  if (!mayOn(permissions, farm ?? current?._id, need)) throw redirect({ to: '/403', replace: true });
}
