import { find } from 'geo-tz';
import type { Timezone } from '@headrace/contract/farms';
import { zoneOffsetSeconds } from '@headrace/contract/rules/farm-time';

/** The clock of a place: its zone, its standard offset and what daylight saving adds, if it has any. */
export function zoneOfPlace(lat: number, lng: number, now: Date): Timezone {
  const timeZoneId = find(lat, lng)[0] ?? 'Pacific/Auckland';
  return zoneById(timeZoneId, now.getUTCFullYear());
}

/** Offsets in January and July: the smaller is standard time, in either hemisphere (Ireland's inverse rule isn't ours). */
export function zoneById(timeZoneId: string, year: number): Timezone {
  const january = zoneOffsetSeconds(timeZoneId, Date.UTC(year, 0, 15));
  const july = zoneOffsetSeconds(timeZoneId, Date.UTC(year, 6, 15));
  const rawOffset = Math.min(january, july);
  const dstOffset = Math.max(january, july) - rawOffset;
  return { timeZoneId, rawOffset, dstOffset, dstEnabled: dstOffset > 0 };
}
