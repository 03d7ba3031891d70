import { notFound, redirect } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import type { Need } from '@headrace/contract/permissions';
import { recallLastKnown } from '../api/last-known.ts';
import { untilAway } from '../api/reach.ts';
import { mayOn, permissionsQuery } from '../access/permissions.ts';
import { loadCurrentFarm, selectFarm } from '../farm/current-farm.ts';
import { farmsCardQuery } from '../farm/farms.queries.ts';
import { settingsQuery } from '../preferences/settings.queries.ts';

/** What a route knows of a visit. */
export interface Visit {
  context: { queryClient: QueryClient };
  search: { farm?: string | undefined };
  preload: boolean;
}

/**
 * A page about a farm. The address decides which, so that nothing but its person moves an open page, and a link shows the same farm
 * to whoever follows it; a farm one may not read is as if it weren't there. An address without a farm is given the current one.
 */
export const enterOnFarm = (need: Need, visit: Visit): Promise<void> => enter(need, visit, false);

/**
 * A page that one may have of some farms and not of others. An address without a farm is given the current one where one may, else the
 * first where one may; where that is none, the page says so.
 */
export const enterOnSomeFarm = (need: Need, visit: Visit): Promise<void> => enter(need, visit, true);

async function enter(need: Need, { context, search, preload }: Visit, isOfSome: boolean): Promise<void> {
  const { queryClient } = context;
  const { farm } = search;
  await loadOrRecall(queryClient);
  const [permissions, farms, current] = await Promise.all([
    queryClient.ensureQueryData(permissionsQuery),
    queryClient.ensureQueryData(farmsCardQuery),
    loadCurrentFarm(queryClient),
  ]);
  if (farm !== undefined && !farms.some((card) => card._id === farm)) throw notFound();
  // A page that is only loaded ahead, because its link is pointed at, changes nothing.
  if (farm !== undefined && farm !== current?._id && !preload) selectFarm(queryClient, farm);
  const may = (card: FarmCard | null) => mayOn(permissions, card?._id, need);
  const own = isOfSome && !may(current) ? farms.find(may) : current;
  const shown = farm ?? own?._id;
  if (isOfSome && shown === undefined) return;
  if (!mayOn(permissions, shown, need)) throw redirect({ to: '/403', replace: true });
  if (farm === undefined && shown !== undefined)
    throw redirect({
      to: '.',
      search: ((before: object) => ({ ...before, farm: shown })) as never,
      hash: true,
      state: true,
      replace: true,
    });
}

const essentials = [permissionsQuery.queryKey, farmsCardQuery.queryKey, settingsQuery.queryKey];

/** What every page of a farm needs. Where the server can't be reached it is what was last known, if that is all there. */
async function loadOrRecall(queryClient: QueryClient): Promise<void> {
  const isThere = () => essentials.every((queryKey) => queryClient.getQueryData(queryKey) !== undefined);
  if (isThere()) return;
  const loaded = Promise.all([
    queryClient.ensureQueryData(permissionsQuery),
    queryClient.ensureQueryData(farmsCardQuery),
    queryClient.ensureQueryData(settingsQuery),
  ]);
  const recall = async () => {
    await untilAway();
    await recallLastKnown(queryClient);
    if (!isThere()) await loaded;
  };
  await Promise.race([loaded, recall()]).catch(async (error: unknown) => {
    await recallLastKnown(queryClient);
    if (!isThere()) throw error;
  });
}
