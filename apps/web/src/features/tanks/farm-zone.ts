import type { Timezone } from '@headrace/contract/farms';
import { useFarmZone } from '../farms/current-farm.ts';

function viewerZone(): Timezone {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return {
    timeZoneId: timeZone,
    rawOffset: new Date().getTimezoneOffset() * -60,
    dstOffset: 0,
    dstEnabled: true,
  };
}

/** The farm's zone; the viewer's own until it is known, or where one may not read the farm. */
export function useChartZone(farmUID: string | undefined): Timezone {
  return useFarmZone(farmUID) ?? viewerZone();
}
