import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { conditions } from '@headrace/contract/rules/condition';
import { type convertPoiToIpc, type convertPoiToSensor, poiIcons } from '@headrace/contract/pois';
import { NEW_SENSOR_CHANNEL, newSensorSettings } from '@headrace/contract/rules/sensor-settings';
import { spareStatuses } from '@headrace/contract/rules/spare-readiness';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';
import { checkForm, given, identityOf, requireKind } from '../devices/device-entries.ts';
import { addRecord } from '../devices/add-records.ts';
import { changeRecord } from '../devices/change-records.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';
import { removeRecord } from '../devices/remove-records.ts';
import { lastRadio } from '../devices/farm-radio.ts';
import type { IrrigationDevicesService } from '../irrigation-devices/irrigation-devices.service.ts';
import { firstSettings } from '../irrigation-devices/unit-entries.ts';
import type { SensorsService } from '../sensors/sensors.service.ts';

/** spec 2 §4.10 */
const firstValue = { value: 0, valueInLitres: 100 } as const;

/**
 * One kind of device becomes another: the old record leaves the farm with its history, the new one has its place. One
 * transaction each; of two people who convert the same one at once, the second finds it gone.
 */
export function createConversions(
  db: Db,
  records: DeviceRecords,
  units: IrrigationDevicesService,
  sensors: SensorsService,
) {
  return {
    /** The name of the new point. A unit that was never placed becomes a point at the farm's pin. */
    async unitToPoi(farm: FarmRow, device: DeviceRow, by: By): Promise<string> {
      requireKind(device, 'sprinkler');
      const { name, description } = device;
      const place = { lat: device.lat ?? farm.lat, lng: device.lng ?? farm.lng };
      const uid = newUid(by.now);
      await records.together(farm.id, async (trx) => {
        await removeRecord(trx, device, by, 'converted', became('poi', device, uid));
        const settings = JSON.stringify({ icon: poiIcons[0] });
        await addRecord(
          trx,
          farm.id,
          { uid, kind: 'poi', name, description, mac: null, ...place, settings },
          by,
        );
      });
      return name;
    },

    /** A spare with this serial number goes into service at the point, else a new unit is added. */
    async poiToUnit(
      farm: FarmRow,
      poi: DeviceRow,
      body: BodyOf<typeof convertPoiToIpc>,
      by: By,
    ): Promise<ReplyOf<typeof convertPoiToIpc>['ipc']> {
      requireKind(poi, 'poi');
      checkForm('sprinkler', body, true);
      const identity = identityOf(body);
      const entered = given({ farmId: body.farmId, channel: body.channel });
      const spare = await units.spareWithSerial(farm, body.serialNumber, identity.mac);
      const isReady = spare?.spareStatus === spareStatuses.Ready;
      const condition = isReady ? conditions.convertedSpare : conditions.error;
      const inService = {
        isSpareUnit: false,
        outOfService: false,
        isPlaceholder: false,
        converted: { condition, at: by.now.toISOString() },
      };
      const place = { lat: poi.lat, lng: poi.lng };
      const radio = await lastRadio(db, farm.id);
      const unit = await records.together(farm.id, async (trx) => {
        if (spare) {
          const row = await stillSpare(trx, farm.id, spare.id);
          await removeRecord(trx, poi, by, 'converted', became('sprinkler', poi, row.uid));
          const change = { ...identity, ...place, settings: { ...entered, ...inService } };
          return changeRecord(trx, row, change, by, { what: 'converted' });
        }
        const uid = newUid(by.now);
        await removeRecord(trx, poi, by, 'converted', became('sprinkler', poi, uid));
        const settings = JSON.stringify({ ...firstSettings(radio), ...entered, ...inService });
        return addRecord(
          trx,
          farm.id,
          { uid, kind: 'sprinkler', type: 0, ...identity, ...place, settings },
          by,
        );
      });
      return { ...(await units.record(farm, unit.id)), condition };
    },

    async poiToSensor(
      farm: FarmRow,
      poi: DeviceRow,
      body: BodyOf<typeof convertPoiToSensor>,
      by: By,
    ): Promise<ReplyOf<typeof convertPoiToSensor>['sensor']> {
      requireKind(poi, 'poi');
      checkForm('sensor', body, true);
      const uid = newUid(by.now);
      const settings = {
        ...newSensorSettings(body.type),
        channel: body.channel ?? NEW_SENSOR_CHANNEL,
        ...given({ spfactor: body.spfactor }),
      };
      const record = {
        uid,
        kind: 'sensor' as const,
        type: body.type,
        ...identityOf(body),
        lat: poi.lat,
        lng: poi.lng,
        settings: JSON.stringify(settings),
      };
      const added = await records.together(farm.id, async (trx) => {
        await removeRecord(trx, poi, by, 'converted', became('sensor', poi, uid));
        return addRecord(trx, farm.id, record, by);
      });
      return { ...(await sensors.record(farm, added.id, by.now)), ...firstValue };
    },
  };
}
export type Conversions = ReturnType<typeof createConversions>;

/** For the change log of the one that goes: what it is now, and as whom. */
const became = (kind: DeviceRow['kind'], before: DeviceRow, uid: string) => [
  { field: 'kind', from: before.kind, to: kind },
  { field: 'uid', from: before.uid, to: uid },
];

/** Somebody may have put it into service meanwhile. */
async function stillSpare(trx: Db, farmId: number, id: number): Promise<DeviceRow> {
  const row = await trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row?.settings['isSpareUnit'] !== true)
    throw conflict(
      'This spare unit went into service elsewhere just now. Please look it up again.',
      'serialNumber',
    );
  return row;
}
