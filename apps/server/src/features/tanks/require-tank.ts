import { tankTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';

/** Other devices of the farm answer to their own calls: here they don't exist. */
export function requireTank(device: DeviceRow): void {
  if (device.kind !== 'sensor' || !tankTypes.includes(device.type)) throw notFound();
}
