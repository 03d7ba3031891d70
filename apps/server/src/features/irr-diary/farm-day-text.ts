import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';

/** The farm's day that holds `at` (epoch ms), YYYY-MM-DD. */
export const farmDayText = (zone: Timezone, at: number): string =>
  new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString().slice(0, 10);
