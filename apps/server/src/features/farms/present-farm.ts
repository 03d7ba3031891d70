import { type Farm, noAddress } from '@headrace/contract/farms';
import type { FarmRow } from '../../db/schema.ts';
import { type FieldChange, fieldChanges } from '../changes/change-log.ts';
import { toZone } from '../farm-clock/farm-zone.ts';

/** A farm as the API gives it. */
export function toFarm(farm: FarmRow, accountUid: string): Farm {
  return {
    id: farm.uid,
    uid: farm.uid,
    accountId: accountUid,
    ...toEntry(farm),
    size: farm.size_ha,
    timezone: toZone(farm),
    version: farm.version,
    createdAt: farm.created_at.toISOString(),
    updatedAt: farm.updated_at.toISOString(),
  };
}

/** What people enter of a farm, in the API's words. */
function toEntry(farm: FarmRow) {
  return {
    name: farm.name,
    description: farm.description,
    address: { ...noAddress, ...farm.address },
    lat: farm.lat,
    lng: farm.lng,
    supplier: farm.supplier,
    irrigationArea: farm.irrigation_area_ha,
    boundary: farm.boundary,
    icon: farm.icon,
    tankOnly: farm.tank_only,
    v3Site: farm.v3_site,
    walConfig: farm.wal_config,
  };
}

/** What a person reads of a change to what was entered. A boundary is told by its points and its size. */
export function entryChanges(before: FarmRow, after: FarmRow): FieldChange[] {
  const changes = fieldChanges(toEntry(before), toEntry(after)).map((change) => {
    if (change.field === 'boundary')
      return { ...change, from: pointsOf(before.boundary), to: pointsOf(after.boundary) };
    if (change.field === 'address')
      return { ...change, from: before.address.fullAddress ?? '', to: after.address.fullAddress ?? '' };
    return change;
  });
  return [...changes, ...fieldChanges({ size: before.size_ha }, { size: after.size_ha })];
}

export function clockChanges(before: FarmRow, after: FarmRow): FieldChange[] {
  const { timeZoneId: timeZone, dstEnabled, ...offsets } = toZone(before);
  const next = toZone(after);
  const changes = fieldChanges({ timeZone, dstEnabled }, { ...next, timeZone: next.timeZoneId });
  const told = changes.filter(({ field }) => field === 'timeZone' || field === 'dstEnabled');
  return told.length > 0
    ? told
    : fieldChanges(offsets, { rawOffset: next.rawOffset, dstOffset: next.dstOffset });
}

const pointsOf = (boundary: readonly unknown[]) => `${boundary.length} points`;
