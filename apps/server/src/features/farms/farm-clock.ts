import type { Timezone } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
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

/** Waterings of longer ago are asked for by nobody. */
const KEPT_MS = 400 * 86_400_000;
/** A person who tries the switch out leaves the newest. */
const CLOCKS_KEPT = 20;

/**
 * The farm goes by another clock from now on. Its hours and days are the old clock's until they have been made anew:
 * rebuild-farm-rollups does it. What watered before was planned by the old one.
 */
export async function noteClockChange(trx: Db, before: FarmRow, now: Date): Promise<void> {
  const { id: farmId } = before;
  const at = now.getTime();
  const known = before.clock_before.filter(({ until }) => until > at - KEPT_MS && until < at);
  const clocks = [...known, { ...toZone(before), until: at }].slice(-CLOCKS_KEPT);
  await trx
    .updateTable('farm')
    .set({ clock_before: JSON.stringify(clocks) })
    .where('id', '=', farmId)
    .execute();
  const change = { at: now, series_done: 0, flows_only: false };
  await trx
    .insertInto('farm_clock_change')
    .values({ farm_id: farmId, ...change })
    .onConflict((conflict) => conflict.column('farm_id').doUpdateSet(change))
    .execute();
}
