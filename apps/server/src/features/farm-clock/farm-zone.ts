import type { Timezone } from '@headrace/contract/farms';
import type { FarmClock } from '@headrace/contract/rules/farm-time';
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

/** The same with the clocks before it, for all that is reckoned of waterings: units went by those until they were told another one. */
export const wateringClock = (
  farm: Parameters<typeof toZone>[0] & Pick<FarmRow, 'clock_before'>,
): FarmClock =>
  farm.clock_before.length === 0 ? toZone(farm) : { ...toZone(farm), before: farm.clock_before };
