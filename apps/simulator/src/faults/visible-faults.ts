import type { IpcItem, RepeaterItem } from '@headrace/device/messages';
import type { SensorValues } from '@headrace/device/metrics';
import type { SensorProfile } from '@headrace/demo/profile';
import type { Faults } from './faults.ts';

/** What a device with faults reports instead of what it measured. A leak is not here: it is in the water itself. */
const weakChargePercent = 18;
const weakBatteryV = 3.2;
/** The checksum of a schedule that nobody sends. */
const oldScheduleCrc = '4B:1E';

export function unitWithFaults(item: IpcItem, faults: Faults): IpcItem {
  if (faults.of(item.mac).length === 0) return item;
  const drift = faults.get(item.mac, 'clock-drift');
  const { valve, ...rest } = item;
  const isHeard = valve !== undefined && !(valve === 'closed' && faults.get(item.mac, 'lost-close'));
  return {
    ...rest,
    ...(isHeard && { valve }),
    ...(faults.get(item.mac, 'valve-stuck') && { valve: 'open' as const }),
    ...(faults.get(item.mac, 'low-battery') && { charge: weakChargePercent }),
    ...(drift && { clock: drift.value }),
    ...(faults.get(item.mac, 'schedule-mismatch') && { ipcCrc: oldScheduleCrc }),
  };
}

export function repeaterWithFaults(item: RepeaterItem, faults: Faults): RepeaterItem {
  return faults.get(item.mac, 'low-battery') ? { ...item, charge: weakChargePercent } : item;
}

export function valuesWithFaults(
  values: SensorValues,
  { mac, model }: SensorProfile,
  faults: Faults,
): SensorValues {
  if (faults.of(mac).length === 0) return values;
  return {
    ...values,
    ...(faults.get(mac, 'low-battery') && { batteryV: weakBatteryV }),
    ...(model.kind === 'flow' && faults.get(mac, 'no-flow') && { flowLpm: 0 }),
    ...(faults.get(mac, 'invalid-value') && invalid[model.kind]),
  };
}

/** What a broken probe can't tell. */
const invalid: Record<SensorProfile['model']['kind'], SensorValues> = {
  tank: { levelMm: null },
  flow: { flowLpm: null },
  soil: { swp1Kpa: null, swp2Kpa: null },
};
