import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type {
  createRepeater,
  groupsAndIpcsForRepeater,
  Repeater,
  repeaterDevices,
  updateRepeater,
} from '@headrace/contract/repeaters';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound, stale } from '../../http/errors.ts';
import { chargeSince, replacedAt } from '../devices/battery.ts';
import { checkForm, gatewayOf, identityOf, placeOf, requireKind } from '../devices/device-entries.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { type By, StaleRecord } from '../devices/record-change.ts';
import { farmOfList } from '../devices/farm-of-list.ts';
import { FIRST_RADIO } from '../devices/farm-radio.ts';
import { isBehind } from '../devices/list-sync.ts';
import type { FarmUnits } from '../irrigation-devices/farm-units.ts';
import type { RepeaterRow, RepeatersRepo } from './repeaters.repo.ts';

export function createRepeatersService(
  db: Db,
  repeaters: RepeatersRepo,
  records: DeviceRecords,
  farmUnits: FarmUnits,
) {
  const farmIdOf = async (farm: FarmRow) => ((await farmUnits.radio(farm.id)) ?? FIRST_RADIO).farmId;

  async function record(farm: FarmRow, deviceId: number): Promise<Repeater> {
    const [row, radioFarmId] = await Promise.all([repeaters.one(farm.id, deviceId), farmIdOf(farm)]);
    if (!row) throw notFound();
    return toRepeater(farm, row, radioFarmId);
  }

  return {
    get(farm: FarmRow, device: DeviceRow): Promise<Repeater> {
      requireKind(device, 'repeater');
      return record(farm, device.id);
    },

    async list(farm: FarmRow): Promise<ReplyOf<typeof repeaterDevices>> {
      const [rows, farmId, sync] = await Promise.all([
        repeaters.list(farm.id),
        farmIdOf(farm),
        isBehind(db, farm.id),
      ]);
      return {
        ...farmOfList(farm),
        farmId,
        sync,
        repeaters: rows.map((row) => toRepeater(farm, row, farmId)),
      };
    },

    async groupsAndIpcs(farmId: number): Promise<ReplyOf<typeof groupsAndIpcsForRepeater>> {
      const [groups, units] = await Promise.all([repeaters.groups(farmId), repeaters.sprinklers(farmId)]);
      return {
        groups: groups.map(({ uid, name }) => ({ _id: uid, name })),
        ipcs: units.map(({ uid, name, serial_number, groups: of }) => ({
          _id: uid,
          name,
          serialNumber: serial_number,
          groups: of,
        })),
      };
    },

    async create(farmId: number, body: BodyOf<typeof createRepeater>, by: By): Promise<{ id: string }> {
      checkForm('repeater', body);
      const added = await records.add(
        farmId,
        {
          uid: newUid(by.now),
          kind: 'repeater',
          ...identityOf(body),
          ...placeOf(body),
          ...(await gatewayOf(db, farmId, body.gatewayUID)),
        },
        by,
      );
      return { id: added.uid };
    },

    async update(
      farm: FarmRow,
      device: DeviceRow,
      body: BodyOf<typeof updateRepeater>,
      by: By,
    ): Promise<Repeater> {
      requireKind(device, 'repeater');
      checkForm('repeater', body);
      const change = {
        ...identityOf(body),
        ...placeOf(body),
        ...(await gatewayOf(db, farm.id, body.gatewayUID)),
      };
      await records.change(device, change, by, body.version).catch(async (error: unknown) => {
        throw error instanceof StaleRecord ? stale(await record(farm, device.id)) : error;
      });
      return record(farm, device.id);
    },

    remove(device: DeviceRow, by: By): Promise<string | null> {
      requireKind(device, 'repeater');
      return records.remove(device, by);
    },
  };
}
export type RepeatersService = ReturnType<typeof createRepeatersService>;

function toRepeater(farm: FarmRow, row: RepeaterRow, radioFarmId: string): Repeater {
  const charge = chargeSince(row);
  return {
    _id: row.uid,
    farmUID: farm.uid,
    name: row.name,
    description: row.description,
    serialNumber: row.serial_number,
    macAddress: row.mac ?? '',
    farmId: radioFarmId,
    lat: row.lat,
    lng: row.lng,
    gatewayUID: row.gateway_uid,
    charge,
    chargeAt: charge === null ? null : row.charge_at,
    // Repeaters report by themselves; nobody polls them.
    pollTime: 0,
    statusTime: row.status_at ?? 0,
    replaceBatteryAt: replacedAt(row),
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
  };
}
