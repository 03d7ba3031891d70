import type { DeviceRow, FarmRow } from './schema.ts';

/** Every column by name, for statements that outlive a migration: see `prepared`. */
const columnsOf = <Row>(columns: Record<keyof Row & string, true>) =>
  Object.keys(columns) as (keyof Row & string)[];

export const farmColumns = columnsOf<FarmRow>({
  id: true,
  uid: true,
  owner_id: true,
  name: true,
  description: true,
  icon: true,
  lat: true,
  lng: true,
  size_ha: true,
  boundary: true,
  tank_only: true,
  v3_site: true,
  wal_config: true,
  time_zone_id: true,
  raw_offset: true,
  dst_offset: true,
  dst_enabled: true,
  address: true,
  supplier: true,
  irrigation_area_ha: true,
  version: true,
  current_set_id: true,
  is_demo: true,
  created_at: true,
  updated_at: true,
  deleted_at: true,
});

export const deviceColumns = columnsOf<DeviceRow>({
  farm_id: true,
  id: true,
  uid: true,
  kind: true,
  type: true,
  name: true,
  description: true,
  serial_number: true,
  mac: true,
  lat: true,
  lng: true,
  settings: true,
  mapping: true,
  builtin_codec: true,
  codec_id: true,
  codec_version: true,
  gateway_id: true,
  shares_serial: true,
  version: true,
  created_at: true,
  updated_at: true,
  deleted_at: true,
});
