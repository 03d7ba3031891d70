import type { BodyOf, QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import {
  firstCommsMode,
  NEW_SENSOR_CHANNEL,
  newSensorSettings,
} from '@headrace/contract/rules/sensor-settings';
import {
  type createSensor,
  type sensorDevices,
  type sensorList,
  type SensorRecord,
  SensorSettings,
  type SensorType,
  type updateSensor,
} from '@headrace/contract/sensors';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound, stale } from '../../http/errors.ts';
import { checkForm, gatewayOf, given, identityOf, placeOf, requireKind } from '../devices/device-entries.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { type By, StaleRecord } from '../devices/record-change.ts';
import { farmOfList } from '../devices/farm-of-list.ts';
import { checkedSettings, toSensor } from './sensor-record.ts';
import type { SensorsRepo } from './sensors.repo.ts';

export function createSensorsService(db: Db, sensors: SensorsRepo, records: DeviceRecords) {
  async function record(farm: FarmRow, deviceId: number, now: Date): Promise<SensorRecord> {
    const row = await sensors.one(farm.id, deviceId);
    if (!row) throw notFound();
    return toSensor(farm, row, now);
  }

  return {
    record,

    get(farm: FarmRow, device: DeviceRow, now: Date): Promise<SensorRecord> {
      requireKind(device, 'sensor');
      return record(farm, device.id, now);
    },

    async list(farm: FarmRow, now: Date): Promise<ReplyOf<typeof sensorDevices>> {
      const rows = await sensors.list(farm.id);
      return { ...farmOfList(farm), sensors: rows.map((row) => toSensor(farm, row, now)) };
    },

    async find(
      farmId: number,
      { type, filter }: QueryOf<typeof sensorList>,
    ): Promise<ReplyOf<typeof sensorList>['sensors']> {
      const rows = await sensors.find(farmId, {
        ...given({ types: type?.split(',').map(Number) }),
        ...(filter?.trim() && { text: filter.trim() }),
      });
      return rows.map((row) => ({
        id: row.uid,
        name: row.name,
        serialNumber: row.serial_number,
        type: row.type as SensorType,
      }));
    },

    async create(farmId: number, body: BodyOf<typeof createSensor>, by: By): Promise<{ id: string }> {
      checkForm('sensor', body);
      const { mapping } = body;
      const all = {
        commsMode: firstCommsMode(body.macAddress),
        ...newSensorSettings(body.type, body.settings),
        ...body.settings,
      };
      const settings = {
        ...checkedSettings(body.type, known(all), by.now),
        channel: body.channel ?? NEW_SENSOR_CHANNEL,
      };
      const added = await records.add(
        farmId,
        {
          uid: newUid(by.now),
          kind: 'sensor',
          type: body.type,
          ...identityOf(body),
          ...placeOf(body),
          ...(await gatewayOf(db, farmId, body.gatewayUID)),
          settings: JSON.stringify(settings),
          mapping: mapping ? JSON.stringify(mapping) : null,
        },
        by,
      );
      return { id: added.uid };
    },

    async update(
      farm: FarmRow,
      device: DeviceRow,
      body: BodyOf<typeof updateSensor>,
      by: By,
    ): Promise<SensorRecord> {
      requireKind(device, 'sensor');
      checkForm('sensor', body);
      const change = {
        type: body.type,
        ...identityOf(body),
        ...placeOf(body),
        ...(await gatewayOf(db, farm.id, body.gatewayUID)),
        ...given({ mapping: body.mapping }),
        settings: {
          ...(body.settings && merged(body.type, device, body.settings, by.now)),
          ...given({ channel: body.channel }),
        },
      };
      await records.change(device, change, by, body.version).catch(async (error: unknown) => {
        throw error instanceof StaleRecord ? stale(await record(farm, device.id, by.now)) : error;
      });
      return record(farm, device.id, by.now);
    },

    async updateSettings(device: DeviceRow, settings: SensorSettings, by: By): Promise<void> {
      requireKind(device, 'sensor');
      await records.change(device, { settings: merged(device.type, device, settings, by.now) }, by);
    },

    /** The history stays. What undoes it. */
    remove(device: DeviceRow, by: By): Promise<string | null> {
      requireKind(device, 'sensor');
      return records.remove(device, by);
    },
  };
}
export type SensorsService = ReturnType<typeof createSensorsService>;

/** The rules hold for what the sensor has together with what was entered. */
function merged(type: number, device: DeviceRow, entered: SensorSettings, now: Date): SensorSettings {
  return checkedSettings(type, { ...known(device.settings), ...known(entered) }, now);
}

/** Members of the agreement: what else was sent is neither checked nor kept. */
function known(settings: SensorSettings): SensorSettings {
  const values = new Map<string, unknown>(Object.entries(settings));
  return given(
    Object.fromEntries(Object.keys(SensorSettings.properties).map((name) => [name, values.get(name)])),
  );
}
