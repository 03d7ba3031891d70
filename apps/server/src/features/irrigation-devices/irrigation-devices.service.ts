import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type {
  createIpc,
  Ipc,
  IpcRecord,
  ipcsForRepeater,
  irrigationDevices,
  podsInfo,
  updateIpc,
} from '@headrace/contract/irrigation-devices';
import { toListedRow } from '@headrace/contract/rules/listed-units';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import type { unitList } from '@headrace/contract/unit-list';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound, stale } from '../../http/errors.ts';
import { newRecord, settingsOf } from './unit-entries.ts';
import { checkForm, gatewayOf, given, identityOf, placeOf, requireKind } from '../devices/device-entries.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { type By, StaleRecord } from '../devices/record-change.ts';
import { farmOfList } from '../devices/farm-of-list.ts';
import { FIRST_RADIO, lastRadio } from '../devices/farm-radio.ts';
import { bumpLists, isBehind } from '../devices/list-sync.ts';
import { toIpc } from './unit-record.ts';
import { createRowVersions } from './row-versions.ts';
import { unitGateways, type UnitsRepo } from './units.repo.ts';

/** Sprinklers as people enter them; the calls that change what one is stand in conversions. */
export function createIrrigationDevicesService(db: Db, sprinklers: UnitsRepo, records: DeviceRecords) {
  const versions = createRowVersions<Ipc>();

  async function record(farm: FarmRow, deviceId: number): Promise<Ipc> {
    const [row, radio] = await Promise.all([sprinklers.one(farm.id, deviceId), sprinklers.radio(farm.id)]);
    if (!row) throw notFound();
    return toIpc(farm, row, radio);
  }

  async function all(farm: FarmRow): Promise<{ radio: Radio | null; ipcs: Ipc[] }> {
    const [rows, radio] = await Promise.all([sprinklers.list(farm.id), sprinklers.radio(farm.id)]);
    return { radio, ipcs: rows.map((row) => toIpc(farm, row, radio)) };
  }

  return {
    record,

    async get(farm: FarmRow, device: DeviceRow): Promise<IpcRecord> {
      requireKind(device, 'sprinkler');
      const { lat, lng, settings } = device;
      const location = lat === null || lng === null ? null : { lat, lng };
      return { ...(await record(farm, device.id)), location, parcels: [], settings };
    },

    async list(farm: FarmRow): Promise<ReplyOf<typeof irrigationDevices>> {
      const [{ radio, ipcs }, sync] = await Promise.all([all(farm), isBehind(db, farm.id)]);
      return { ...farmOfList(farm), farmId: (radio ?? FIRST_RADIO).farmId, sync, ipcs };
    },

    /** In short: all, or where the caller has an earlier reply, those that have changed since. */
    async inShort(farm: FarmRow, since: string | undefined): Promise<ReplyOf<typeof unitList>> {
      const number = versions.begin(farm.id);
      const { ipcs } = await all(farm);
      const version = number(ipcs);
      const isNewer = versions.newerThan(since);
      return {
        version,
        isWhole: isNewer === null,
        total: ipcs.length,
        units: (isNewer ? ipcs.filter(isNewer) : ipcs).map(toListedRow),
      };
    },

    async spares(farm: FarmRow): Promise<Ipc[]> {
      const [rows, radio] = await Promise.all([sprinklers.spares(farm.id), sprinklers.radio(farm.id)]);
      return rows.map((row) => toIpc(farm, row, radio));
    },

    async forRepeater(farm: FarmRow): Promise<ReplyOf<typeof ipcsForRepeater>['ipcs']> {
      const rows = await sprinklers.list(farm.id);
      return rows.map(({ uid, name, serial_number, mac }) => ({
        _id: uid,
        name,
        serialNumber: serial_number,
        macAddress: mac ?? '',
      }));
    },

    pods: (farmId: number): Promise<ReplyOf<typeof podsInfo>> => sprinklers.counts(farmId),
    hasChanges: (farmId: number): Promise<boolean> => isBehind(db, farmId),
    lastRadio: (farmId: number): Promise<Radio> => lastRadio(db, farmId),

    /** The spare of the farm with this serial number; of several the one with this MAC. */
    async spareWithSerial(
      farm: FarmRow,
      serialNumber: string,
      mac: string,
    ): Promise<{ id: number; spareStatus: number } | null> {
      const serial = serialNumber.trim().toLowerCase();
      const [rows, radio] = await Promise.all([sprinklers.spares(farm.id), sprinklers.radio(farm.id)]);
      const same = rows.filter((row) => row.serial_number.toLowerCase() === serial);
      const spare = same.find((row) => row.mac === mac) ?? same[0];
      return spare ? { id: spare.id, spareStatus: toIpc(farm, spare, radio).spareStatus } : null;
    },

    async create(farmId: number, body: BodyOf<typeof createIpc>, by: By): Promise<{ id: string }> {
      checkForm('sprinkler', body);
      const radio = await lastRadio(db, farmId);
      const gateway = await gatewayOf(db, farmId, body.gatewayUID);
      const added = await records.add(farmId, newRecord(body, radio, gateway, by.now), by, body.groups);
      return { id: added.uid };
    },

    async update(farm: FarmRow, device: DeviceRow, body: BodyOf<typeof updateIpc>, by: By): Promise<Ipc> {
      requireKind(device, 'sprinkler');
      checkForm('sprinkler', body);
      const change = {
        ...identityOf(body),
        ...placeOf(body),
        ...given({ type: body.type }),
        ...(await gatewayOf(db, farm.id, body.gatewayUID)),
        settings: settingsOf(body),
        groups: body.groups,
      };
      await records.change(device, change, by, body.version).catch(async (error: unknown) => {
        throw error instanceof StaleRecord ? stale(await record(farm, device.id)) : error;
      });
      return record(farm, device.id);
    },

    /** What undoes it. */
    remove(device: DeviceRow, by: By): Promise<string | null> {
      requireKind(device, 'sprinkler');
      return records.remove(device, by);
    },

    /** The farm's gateways have to take their lists again: a unit's schedule entries are counted anew. */
    async resetSchedulesIndex(farmId: number): Promise<void> {
      await records.together(farmId, async (trx) => {
        await sprinklers.forgetScheduleNumbers(trx, farmId);
        await bumpLists(trx, farmId, await unitGateways(trx, farmId));
      });
    },
  };
}
export type IrrigationDevicesService = ReturnType<typeof createIrrigationDevicesService>;
