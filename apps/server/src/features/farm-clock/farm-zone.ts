import type { Timezone } from '@headrace/contract/farms';
import type { FarmRow } from '../../db/schema.ts';

/** The farm's clock, as the rules take it. */
export function toZone(
  farm: Pick<FarmRow, 'time_zone_id' | 'raw_offset' | 'dst_offset' | 'dst_enabled'>,
): Timezone {
  return {
    timeZoneId: farm.time_zone_id,
    rawOffset: farm.raw_offset,
    dstOffset: farm.dst_offset,
    dstEnabled: farm.dst_enabled,
  };
}
