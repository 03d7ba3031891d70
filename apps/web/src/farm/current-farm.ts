import { useCallback, useEffect } from 'react';
import { queryOptions, skipToken, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import type { FarmCard, Timezone } from '@headrace/contract/farms';
import { readSettings } from '@headrace/contract/rules/settings-migrations';
import { saveSettings, settingsQuery, useSettings } from '../preferences/settings.queries.ts';
import { farmQuery, farmsCardQuery } from './farms.queries.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** A page about a farm: which parameter of its address names the farm. */
    farmIn?: 'farm' | 'farmUID' | 'id' | 'f';
  }
}

/** The farm that pages of this tab were last about. Settings that another browser changes don't move it. */
const lastFarmQuery = queryOptions<string>({ queryKey: ['last-farm'], queryFn: skipToken, gcTime: Infinity });

const keepLastFarm = (queryClient: QueryClient, farmUID: string) =>
  queryClient.setQueryData(lastFarmQuery.queryKey, farmUID);

/** This farm while one may read it, else the first; null when there is none. */
export function pickFarm(farms: readonly FarmCard[], farmUID: string | null | undefined): FarmCard | null {
  return farms.find(({ _id }) => _id === farmUID) ?? farms[0] ?? null;
}

/** What the address says; undefined on pages that aren't about a farm. */
function useAddressFarm(): string | undefined {
  return useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      const farmIn = match?.staticData.farmIn;
      return farmIn && ({ ...match?.params, ...match?.search } as Record<string, string | undefined>)[farmIn];
    },
  });
}

/**
 * The farm that the screens are about: that of the address. On pages about none it is the one that this tab showed last, at first
 * that of the settings. Null until known, for people without a farm, and where the address names one that they may not read.
 */
export function useCurrentFarm(): FarmCard | null {
  const address = useAddressFarm();
  const settings = useSettings();
  const { data: last } = useQuery(lastFarmQuery);
  const { data: farms = [] } = useQuery(farmsCardQuery);
  if (address !== undefined) return farms.find(({ _id }) => _id === address) ?? null;
  return pickFarm(farms, last ?? settings.currFarm);
}

/** Once a farm is shown, this tab stays with it until its person goes to another. */
export function useKeepCurrentFarm(): void {
  const queryClient = useQueryClient();
  const farmUID = useCurrentFarm()?._id;
  const { isSuccess: areSettingsThere } = useQuery(settingsQuery);
  useEffect(() => {
    if (farmUID !== undefined && areSettingsThere) keepLastFarm(queryClient, farmUID);
  }, [queryClient, farmUID, areSettingsThere]);
}

/** For a page whose record says which farm it is about, since its address doesn't. */
export function useAboutFarm(farmUID: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (farmUID !== undefined) keepLastFarm(queryClient, farmUID);
  }, [queryClient, farmUID]);
}

/** The zone in which a farm's times are written; null until known. */
export function useFarmZone(farmUID: string | undefined, enabled = true): Timezone | null {
  const isEnabled = enabled && farmUID !== undefined;
  return useQuery({ ...farmQuery(farmUID ?? ''), enabled: isEnabled }).data?.timezone ?? null;
}

/** For an address that names no farm. */
export async function loadCurrentFarm(queryClient: QueryClient): Promise<FarmCard | null> {
  const [stored, farms] = await Promise.all([
    queryClient.ensureQueryData(settingsQuery),
    queryClient.ensureQueryData(farmsCardQuery),
  ]);
  return pickFarm(farms, queryClient.getQueryData(lastFarmQuery.queryKey) ?? readSettings(stored).currFarm);
}

/** The next visit begins with this farm, and so do pages of this tab that aren't about another. */
export function selectFarm(queryClient: QueryClient, farmUID: string): void {
  keepLastFarm(queryClient, farmUID);
  saveSettings(queryClient, { currFarm: farmUID });
}

export function useSelectFarm(): (farmUID: string) => void {
  const queryClient = useQueryClient();
  return useCallback((farmUID) => selectFarm(queryClient, farmUID), [queryClient]);
}
