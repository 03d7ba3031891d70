import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';

/** YYYY-MM-DD of the farm's day that holds `at` (epoch ms). */
export const dayText = (zone: Timezone, at: number): string =>
  new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString().slice(0, 10);
