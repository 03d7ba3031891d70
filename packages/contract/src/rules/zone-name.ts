import type { Timezone } from '../farms.ts';
import { farmOffsetSeconds, zoneOffsetSeconds } from './farm-time.ts';

/** "UTC+12:45" */
export function offsetName(seconds: number): string {
  const minutes = Math.abs(seconds) / 60;
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `UTC${seconds < 0 ? '−' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** NZDT, AEST and the like at `at` (epoch ms); the offset where the zone has no such name, or the farm keeps another time than it. */
export function zoneName(zone: Timezone, at: number): string {
  const offset = farmOffsetSeconds(zone, at);
  if (offset !== zoneOffsetSeconds(zone.timeZoneId, at)) return offsetName(offset);
  const locale = zone.timeZoneId.startsWith('Australia/') ? 'en-AU' : 'en-NZ';
  const parts = new Intl.DateTimeFormat(locale, {
    timeZone: zone.timeZoneId,
    timeZoneName: 'short',
  }).formatToParts(at);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  return /^[A-Z]{3,5}$/.test(name) ? name : offsetName(offset);
}
