import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { inhibitedCrc, scheduleCrc } from '@headrace/device/schedule-crc';
import { unitEntries } from '../commands/down-messages.ts';
import type { FoundDevice } from './search.repo.ts';

const DAY_MS = 86_400_000;
/** Sprinklers and repeaters report a few times a day at most. spec 2 §9 */
const UNIT_OUT_OF_CONTACT_MS = 30 * DAY_MS;
/** A sensor that is silent for longer is unreachable. */
const SENSOR_OUT_OF_CONTACT_MS = DAY_MS;
/** %, s; where the gateway hasn't said. spec 2 §9 */
const CHARGE_THRESHOLD = 50;
const CLOCK_THRESHOLD = 60;

export interface UnitState {
  readonly outOfComm: boolean;
  readonly inhibited: boolean;
  /** Battery, clock or schedule, by what it last said. */
  readonly error: boolean;
  /** It said that its valve is open. */
  readonly isActive: boolean;
}

/** How a device is, by what it last said. */
export function unitState(device: FoundDevice, now: Date): UnitState {
  const outOfComm = isSilent(device, now);
  if (device.kind !== 'sprinkler' && device.kind !== 'repeater')
    return { outOfComm, inhibited: false, error: false, isActive: false };
  const inhibited = device.ipc_crc === inhibitedCrc;
  const error = hasLowBattery(device) || hasClockError(device) || (!inhibited && hasOtherSchedule(device));
  return { outOfComm, inhibited, error: error && !outOfComm, isActive: device.valve === 1 && !outOfComm };
}

function isSilent({ kind, status_at }: FoundDevice, now: Date): boolean {
  if (kind === 'poi') return false;
  if (status_at === null) return true;
  return now.getTime() - status_at > silence[kind];
}

const silence = {
  sprinkler: UNIT_OUT_OF_CONTACT_MS,
  repeater: UNIT_OUT_OF_CONTACT_MS,
  gateway: GATEWAY_OUT_OF_CONTACT_MS,
  sensor: SENSOR_OUT_OF_CONTACT_MS,
} as const;

const hasLowBattery = ({ charge, charge_threshold }: FoundDevice) =>
  charge !== null && charge < (charge_threshold ?? CHARGE_THRESHOLD);

const hasClockError = ({ clock, clock_threshold }: FoundDevice) =>
  clock !== null && Math.abs(clock) > (clock_threshold ?? CLOCK_THRESHOLD);

/** It holds another schedule than the farm waters by. */
const hasOtherSchedule = ({ ipc_crc, entries }: FoundDevice) =>
  ipc_crc !== null && entries !== null && ipc_crc !== scheduleCrc(unitEntries(entries));
