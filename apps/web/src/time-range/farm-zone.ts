import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { viewerZone } from '../ui/format.ts';
import { useFarmZone } from '../farm/current-farm.ts';
import { farmQuery } from '../farm/farms.queries.ts';

function ownZone(): Timezone {
  return {
    timeZoneId: viewerZone(),
    rawOffset: new Date().getTimezoneOffset() * -60,
    dstOffset: 0,
    dstEnabled: true,
  };
}

/** Whether `useChartZone` has the farm's answer, or knows that there is none: what is asked for by the day waits for it. */
export const useHasChartZone = (farmUID: string): boolean => !useQuery(farmQuery(farmUID)).isLoading;

/** The farm's zone; the viewer's own until it is known, or where one may not read the farm. */
export function useChartZone(farmUID: string | undefined): Timezone {
  return useFarmZone(farmUID) ?? ownZone();
}
