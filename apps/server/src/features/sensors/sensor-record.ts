import {
  clampSensorSettings,
  firstCommsMode,
  NEW_SENSOR_CHANNEL,
} from '@headrace/contract/rules/sensor-settings';
import type { SensorRecord, SensorSettings, SensorType } from '@headrace/contract/sensors';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { SensorRow } from './sensors.repo.ts';

const HOUR_MS = 3_600_000;
/** spec 1 §3 */
const statusClasses = { Unknown: 1, Normal: 2, Irregular: 3, Unreachable: 4 } as const;

/** Normal up to 3 hours since it was heard, irregular up to 24, then unreachable. */
export function statusClass(statusAt: number | null, now: Date): number {
  if (statusAt === null) return statusClasses.Unknown;
  const age = now.getTime() - statusAt;
  if (age <= 3 * HOUR_MS) return statusClasses.Normal;
  return age <= 24 * HOUR_MS ? statusClasses.Irregular : statusClasses.Unreachable;
}

export function toSensor(farm: Pick<FarmRow, 'uid'>, row: SensorRow, now: Date): SensorRecord {
  return {
    _id: row.uid,
    farmUID: farm.uid,
    name: row.name,
    description: row.description,
    serialNumber: row.serial_number,
    macAddress: row.mac ?? '',
    type: row.type as SensorType,
    lat: row.lat,
    lng: row.lng,
    channel: Number(row.settings['channel'] ?? NEW_SENSOR_CHANNEL),
    settings: { commsMode: firstCommsMode(row.mac ?? ''), ...row.settings },
    gatewayUID: row.gateway_uid,
    statusTime: row.status_at ?? 0,
    status: statusClass(row.status_at, now),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The settings as they are to be stored. Throws invalid in the specification's words, naming the setting. */
export function checkedSettings(type: number, given: SensorSettings, now: Date): SensorSettings {
  const { settings, warnings } = clampSensorSettings(type, given, now);
  for (const { field, message } of warnings) throw invalid(message, `settings.${field}`);
  return settings;
}
