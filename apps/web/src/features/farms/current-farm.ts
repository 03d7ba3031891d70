import { useCallback } from 'react';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { FarmCard, Timezone } from '@headrace/contract/farms';
import { readSettings } from '@headrace/contract/rules/settings-migrations';
import type { Settings } from '@headrace/contract/settings';
import { saveSettings, settingsQuery, useSettings } from '../settings/settings.queries.ts';
import { farmQuery, farmsCardQuery } from './farms.queries.ts';

/** The chosen farm while one may read it, else the first; null when there is none. */
export function pickFarm(settings: Settings, farms: readonly FarmCard[]): FarmCard | null {
  return farms.find((farm) => farm._id === settings.currFarm) ?? farms[0] ?? null;
}

/** The farm that the screens are about; null until known, and for people without a farm. */
export function useCurrentFarm(): FarmCard | null {
  const settings = useSettings();
  const { data } = useQuery(farmsCardQuery);
  return pickFarm(settings, data ?? []);
}

/** The zone in which a farm's times are written; null until known. */
export function useFarmZone(farmUID: string | undefined, enabled = true): Timezone | null {
  const isEnabled = enabled && farmUID !== undefined;
  return useQuery({ ...farmQuery(farmUID ?? ''), enabled: isEnabled }).data?.timezone ?? null;
}

export async function loadCurrentFarm(queryClient: QueryClient): Promise<FarmCard | null> {
  const [stored, farms] = await Promise.all([
    queryClient.ensureQueryData(settingsQuery),
    queryClient.ensureQueryData(farmsCardQuery),
  ]);
  return pickFarm(readSettings(stored), farms);
}

export function useSelectFarm(): (farmUID: string) => void {
  const queryClient = useQueryClient();
  return useCallback((farmUID) => saveSettings(queryClient, { currFarm: farmUID }), [queryClient]);
}
