import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ScheduleSet } from '@headrace/contract/schedules';
import type { FarmRow } from '../../db/schema.ts';
import type { ContentDevice, ContentGroup, ContentTemplate } from './farm-content.repo.ts';
import { inOrder } from './in-order.ts';

export interface FarmContent {
  readonly farm: FarmRow;
  readonly devices: readonly ContentDevice[];
  readonly groups: readonly ContentGroup[];
  readonly sets: readonly ScheduleSet[];
  /** Uid of the one that the farm waters by. */
  readonly currentSet: string | null;
  readonly templates: readonly ContentTemplate[];
}

/** site.json: members by name, lists as people count. The same farm gives the same text but for `exportedAt`. */
export const siteJson = (content: FarmContent, now: Date): string =>
  `${JSON.stringify(sorted({ exportedAt: now.toISOString(), ...siteOf(content) }), null, 2)}\n`;

export type SiteContent = ReturnType<typeof siteOf>;

export function siteOf({ farm, devices, groups, sets, currentSet, templates }: FarmContent) {
  const ofKind = (kind: ContentDevice['kind']) =>
    inOrder(devices.filter((one) => one.kind === kind)).map(deviceOf);
  const byName = (one: { name: string; _id: string }, other: { name: string; _id: string }) =>
    compareNatural(one.name, other.name) || (one._id < other._id ? -1 : 1);
  return {
    version: 1,
    farm: { ...farmOf(farm), currentSet },
    gateways: ofKind('gateway'),
    ipcs: ofKind('sprinkler'),
    repeaters: ofKind('repeater'),
    sensors: ofKind('sensor'),
    pois: ofKind('poi'),
    groups: groups
      .map(({ uid, name, description, is_lateral, wal_config }) => ({
        _id: uid,
        name,
        description,
        isLateral: is_lateral,
        walConfig: wal_config,
      }))
      .toSorted(byName),
    schedules: sets.toSorted(byName),
    templates: templates.map(({ uid, name, body }) => ({ ...body, _id: uid, name })).toSorted(byName),
  };
}

const farmOf = (farm: FarmRow) => ({
  _id: farm.uid,
  name: farm.name,
  description: farm.description,
  icon: farm.icon,
  lat: farm.lat,
  lng: farm.lng,
  size: farm.size_ha,
  irrigationArea: farm.irrigation_area_ha,
  boundary: farm.boundary,
  tankOnly: farm.tank_only,
  v3Site: farm.v3_site,
  walConfig: farm.wal_config,
  timezone: {
    timeZoneId: farm.time_zone_id,
    rawOffset: farm.raw_offset,
    dstOffset: farm.dst_offset,
    dstEnabled: farm.dst_enabled,
  },
  address: farm.address,
  supplier: farm.supplier,
});

export type SiteDevice = ReturnType<typeof deviceOf>;
const deviceOf = (device: ContentDevice) => ({
  _id: device.uid,
  name: device.name,
  description: device.description,
  type: device.type,
  serialNumber: device.serial_number,
  macAddress: device.mac ?? '',
  lat: device.lat,
  lng: device.lng,
  gatewayUID: device.gatewayUid,
  groups: device.groups.map(({ uid }) => uid).toSorted(),
  settings: device.settings,
  ...(device.mapping !== null && { mapping: device.mapping }),
});

/** Members in the order of their names, all the way down. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
