import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ScheduleSet } from '@headrace/contract/schedules';
import type { FarmRow } from '../../db/schema.ts';
import { breathe, mapInTurns } from '../../jobs/in-turns.ts';
import type { ContentDevice, ContentGroup, ContentTemplate } from './farm-content.repo.ts';
import { inOrder } from './in-order.ts';
import { sortedText } from './sorted-text.ts';

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
export const siteJson = async (content: FarmContent, now: Date): Promise<string> =>
  `${await sortedText({ exportedAt: now.toISOString(), ...(await siteOf(content)) }, INDENT)}\n`;
const INDENT = 2;

export type SiteContent = Awaited<ReturnType<typeof siteOf>>;

export async function siteOf({ farm, devices, groups, sets, currentSet, templates }: FarmContent) {
  const ofKind = async (kind: ContentDevice['kind']) => {
    const ordered = inOrder(devices.filter((one) => one.kind === kind));
    await breathe();
    return mapInTurns(ordered, deviceOf);
  };
  const byName = (one: { name: string; _id: string }, other: { name: string; _id: string }) =>
    compareNatural(one.name, other.name) || (one._id < other._id ? -1 : 1);
  return {
    version: 1,
    farm: { ...farmOf(farm), currentSet },
    gateways: await ofKind('gateway'),
    ipcs: await ofKind('sprinkler'),
    repeaters: await ofKind('repeater'),
    sensors: await ofKind('sensor'),
    pois: await ofKind('poi'),
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
