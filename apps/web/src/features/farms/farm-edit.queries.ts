import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { Farm, Timezone } from '@headrace/contract/farms';
import { call } from '../../api/client.ts';
import { permissionsQuery, type FarmPermissions } from '../../access/permissions.ts';
import { farmQuery, farmsCardQuery, farmsSummaryQuery } from '../../farm/farms.queries.ts';

/** From so many characters on places are looked up. spec 1 §5 */
export const ADDRESS_FROM = 4;

export const addressQuery = (text: string) =>
  queryOptions({
    queryKey: ['geocode', text],
    queryFn: ({ signal }) => call('GET /geocode', { query: { text }, signal }),
    enabled: text.length >= ADDRESS_FROM,
    staleTime: 10 * 60_000,
    retry: false,
    placeholderData: keepPreviousData,
  });

export const ownersQuery = queryOptions({
  queryKey: ['owner-accounts'],
  queryFn: async ({ signal }) => (await call('GET /agent/list-accounts', { signal })).accounts,
});

export const contentsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['farm-contents', farmUID],
    queryFn: ({ signal }) => call('GET /farm/contents', { query: { farmUID }, signal }),
    staleTime: 0,
  });

/** While a farm is deleted, its going is no surprise. */
export const DELETE_FARM_KEY = ['delete-farm'];

/** Cards and summaries are made of the farms: asked for again. */
export async function renewFarms(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: farmsCardQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: farmsSummaryQuery.queryKey }),
  ]);
}

/** A farm was made: the person has what the answer says on it. */
export function addPermissions(queryClient: QueryClient, { permissions }: Api['POST /farm']['reply']): void {
  const mine = permissions as unknown as FarmPermissions;
  queryClient.setQueryData(permissionsQuery.queryKey, (all = []) => [
    ...all.filter(({ farmUID }) => farmUID !== mine.farmUID),
    mine,
  ]);
}

export function receiveFarm(queryClient: QueryClient, farm: Farm): void {
  queryClient.setQueryData(farmQuery(farm.uid).queryKey, farm);
}

/** The clock changed: the record has it at once, and its newer version when it comes. */
export function receiveZone(queryClient: QueryClient, farmUID: string, timezone: Timezone): void {
  const { queryKey } = farmQuery(farmUID);
  queryClient.setQueryData(queryKey, (farm) => farm && { ...farm, timezone });
  void queryClient.invalidateQueries({ queryKey });
}
