import { type Farm, type FarmEntry, noAddress } from '@headrace/contract/farms';
import { validateFarm, type FarmField, toNumber } from '@headrace/contract/rules/farm-form';
import { areaHectares } from '@headrace/contract/rules/polygon';
import { coverageOf } from '@headrace/contract/rules/water-application';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';

/** The columns that people fill; absent ones stay as they are. */
export type FarmColumns = Pick<FarmRow, 'name' | 'address' | 'lat' | 'lng' | 'boundary'> &
  Partial<
    Pick<
      FarmRow,
      'description' | 'icon' | 'supplier' | 'irrigation_area_ha' | 'v3_site' | 'tank_only' | 'wal_config'
    >
  >;

/** Refuses what the form refuses, with the form's sentence for the first field that is wrong. */
export function readEntry(entry: FarmEntry): FarmColumns {
  const walConfig = entry.walConfig && withCoverage(entry.walConfig);
  const address = { ...noAddress, ...entry.address };
  const fieldErrors = validateFarm({ ...entry, address, walConfig });
  const [first] = Object.entries(fieldErrors) as [FarmField, string][];
  if (first) throw invalid(first[1], first[0]);
  return {
    name: entry.name.trim(),
    address: { ...address, fullAddress: address.fullAddress.trim() },
    lat: toNumber(entry.lat),
    lng: toNumber(entry.lng),
    boundary: entry.boundary.map(({ lat, lng }) => ({ lat, lng })),
    ...(entry.description !== undefined && { description: entry.description.trim() }),
    ...(entry.icon !== undefined && { icon: entry.icon }),
    ...(entry.supplier !== undefined && { supplier: entry.supplier.trim() }),
    ...(entry.irrigationArea !== undefined && { irrigation_area_ha: toNumber(entry.irrigationArea) }),
    ...(entry.v3Site !== undefined && { v3_site: entry.v3Site }),
    ...(entry.tankOnly !== undefined && { tank_only: entry.tankOnly }),
    ...(walConfig !== undefined && { wal_config: walConfig }),
  };
}

type EnteredWater = NonNullable<FarmEntry['walConfig']>;

function withCoverage(entered: EnteredWater): Farm['walConfig'] {
  const { type, wal, duration, sprinklerFlow, sprinklerWidth, sprinklerLength } = entered;
  const sprinklerCoverage = coverageOf(sprinklerWidth, sprinklerLength);
  return { type, wal, duration, sprinklerFlow, sprinklerWidth, sprinklerLength, sprinklerCoverage };
}

/** The size follows from the boundary. */
export function withSize(columns: FarmColumns): FarmColumns & { size_ha: number } {
  return { ...columns, size_ha: areaHectares(columns.boundary) };
}

/** jsonb columns are written as text. */
export function asStored<T extends Partial<Pick<FarmRow, 'address' | 'boundary' | 'wal_config'>>>(
  columns: T,
) {
  const { address, boundary, wal_config: water, ...rest } = columns;
  return {
    ...rest,
    ...(address && { address: JSON.stringify(address) }),
    ...(boundary && { boundary: JSON.stringify(boundary) }),
    ...(water && { wal_config: JSON.stringify(water) }),
  };
}
