import type { createSensor } from '@headrace/contract/sensors';
import type { BodyOf } from '@headrace/contract/endpoint';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { checkSettings, placeOf, requiredText } from './sensor-rules.ts';
import type { SensorsRepo } from './sensors.repo.ts';

interface Effects {
  /** Devices of a farm were added, changed or removed. */
  onDevicesChanged(farmId: number): void;
}

export function createSensorsService(sensors: SensorsRepo, effects: Effects) {
  return {
    async create(farmId: number, body: BodyOf<typeof createSensor>, now: Date): Promise<{ id: string }> {
      const { settings = {}, mapping } = body;
      checkSettings(body.type, settings);
      const uid = newUid(now);
      const added = await sensors.add(farmId, {
        uid,
        type: body.type,
        name: requiredText(body.name, 'name'),
        description: body.description?.trim() ?? '',
        serial_number: requiredText(body.serialNumber, 'serialNumber'),
        mac: body.macAddress.toUpperCase(),
        ...placeOf(body.lat, body.lng),
        settings: JSON.stringify(settings),
        mapping: mapping ? JSON.stringify(mapping) : null,
        created_at: now,
        updated_at: now,
      });
      // Where it is in use isn't told: it may be somebody else's farm.
      if (!added) throw conflict('This MAC address is already in use.', 'macAddress');
      effects.onDevicesChanged(farmId);
      return { id: uid };
    },

    /** The history stays. */
    async remove(device: DeviceRow, now: Date): Promise<void> {
      if (device.kind !== 'sensor') throw notFound();
      await sensors.remove(device.farm_id, device.id, now);
      effects.onDevicesChanged(device.farm_id);
    },
  };
}
export type SensorsService = ReturnType<typeof createSensorsService>;
