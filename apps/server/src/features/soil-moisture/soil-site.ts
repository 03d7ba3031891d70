import type { SoilSite } from '@headrace/contract/soil-moisture';
import { isValidTension, soilProbes } from '@headrace/contract/rules/soil-moisture';
import { isOutOfContact } from '@headrace/contract/rules/tank';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { type LatestValues, statusTimeOf } from '../series/latest-values.ts';

/** What a site reports; the others of its probes only some sites have. */
export const soilMetrics = [
  'temperatureC',
  'rainTipsTotal',
  'rainTips',
  'rainTotalMm',
  'rainMm',
  'rainTipsAdded',
  'swp1Kpa',
  'swp2Kpa',
  'swp3Kpa',
  'swp4Kpa',
] as const;
export type SoilMetric = (typeof soilMetrics)[number];

/** Other devices of the farm answer to their own calls: here they don't exist. */
export function requireSite(device: DeviceRow): void {
  if (device.kind !== 'sensor' || device.type !== sensorTypes.SOIL_MOISTURE) throw notFound();
}

export const namesOf = ({ settings }: Pick<DeviceRow, 'settings'>) => ({
  swp1_name: settings.swp1_name || 'Sensor 1',
  swp2_name: settings.swp2_name || 'Sensor 2',
});

export function toSite(device: DeviceRow, latest: LatestValues, now: number): SoilSite {
  const statusTime = statusTimeOf(latest);
  return {
    id: device.uid,
    name: device.name,
    serialNumber: device.serial_number,
    lat: device.lat,
    lng: device.lng,
    ...namesOf(device),
    statusTime: statusTime === null ? null : isoTime(statusTime),
    isOutOfContact: isOutOfContact(statusTime, now),
    invalidProbes: soilProbes.filter((probe) => {
      const newest = latest.get(`${probe}Kpa`);
      return newest !== undefined && !isValidTension(newest.value);
    }),
  };
}

/** Average of what its sensors told within the time after which a site is out of contact, kPa; null: none told a tension. */
export function meanTension(latest: LatestValues, now: number): number | null {
  const told = soilProbes.flatMap((probe) => {
    const newest = latest.get(`${probe}Kpa`);
    if (!newest || isOutOfContact(newest.at, now)) return [];
    return isValidTension(newest.value) ? [newest.value] : [];
  });
  return told.length === 0 ? null : told.reduce((sum, kpa) => sum + kpa, 0) / told.length;
}
