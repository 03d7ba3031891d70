import type { Timezone } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { zoneOfPlace } from './zone-of-place.ts';

export type ClockColumns = Pick<FarmRow, 'time_zone_id' | 'raw_offset' | 'dst_offset' | 'dst_enabled'>;

/** The zone of a place. Whether the farm changes its clocks stays as people set it while the zone is the same one. */
export function clockOfPlace(
  place: { lat: number; lng: number },
  before: ClockColumns | null,
  now: Date,
): ClockColumns {
  const zone = zoneOfPlace(place.lat, place.lng, now);
  const isSet = before?.time_zone_id === zone.timeZoneId && zone.dstOffset > 0;
  return toColumns({ ...zone, ...(isSet && { dstEnabled: before.dst_enabled }) });
}

/** Throws where the zone knows no daylight saving: there is nothing to switch on. */
export function clockWithDst(farm: ClockColumns, dstEnabled: boolean): ClockColumns {
  const { time_zone_id, raw_offset, dst_offset } = farm;
  if (dstEnabled && dst_offset === 0)
    throw invalid(`There is no daylight saving in ${time_zone_id}.`, 'dstEnabled');
  return { time_zone_id, raw_offset, dst_offset, dst_enabled: dstEnabled };
}

function toColumns(zone: Timezone): ClockColumns {
  return {
    time_zone_id: zone.timeZoneId,
    raw_offset: zone.rawOffset,
    dst_offset: zone.dstOffset,
    dst_enabled: zone.dstEnabled,
  };
}

/** Hours and days of the farm are the old clock's until they have been made anew: rebuild-farm-rollups does it. */
export async function noteClockChange(trx: Db, farmId: number, now: Date): Promise<void> {
  const change = { at: now, series_done: 0, flows_only: false };
  await trx
    .insertInto('farm_clock_change')
    .values({ farm_id: farmId, ...change })
    .onConflict((conflict) => conflict.column('farm_id').doUpdateSet(change))
    .execute();
}
