import type { StatusUpdate } from '@headrace/contract/live';
import { sensorTypes, tankTypes } from '@headrace/contract/sensors';
import type { DeviceKind } from '../../db/schema.ts';

/** The latest facts of a device changed; sent after the commit. */
export interface StatusEvent {
  farmId: number;
  farmUid: string;
  deviceId: number;
  uid: string;
  serialNumber: string;
  type: StatusUpdate['type'];
  /** Time of its newest fact. */
  updatedAt: Date;
}

interface EventDevice {
  readonly farmId: number;
  readonly farmUid: string;
  readonly id: number;
  readonly uid: string;
  readonly serialNumber: string;
  readonly kind: DeviceKind;
  readonly type: number;
}

/** One event for each device and type of a commit. */
export class EventCollector {
  readonly #events = new Map<string, StatusEvent>();

  /** `at` in epoch ms. */
  add(device: EventDevice, type: StatusUpdate['type'], at: number): void {
    const key = `${device.id} ${type}`;
    const known = this.#events.get(key);
    if (known && known.updatedAt.getTime() >= at) return;
    const { farmId, farmUid, id: deviceId, uid, serialNumber } = device;
    this.#events.set(key, { farmId, farmUid, deviceId, uid, serialNumber, type, updatedAt: new Date(at) });
  }

  all(): StatusEvent[] {
    return [...this.#events.values()];
  }
}

/** The type under which a device's readings are announced. A switch is an input like a gateway's. */
export function eventTypeOf({ kind, type }: Pick<EventDevice, 'kind' | 'type'>): StatusUpdate['type'] {
  switch (kind) {
    case 'gateway':
      return 'io';
    case 'repeater':
      return 'repeater';
    case 'sprinkler':
    case 'poi':
      return 'ipc';
    case 'sensor':
      if (tankTypes.includes(type)) return 'tank_level';
      if (type === sensorTypes.SOIL_MOISTURE) return 'soil_moisture';
      return type === sensorTypes.SWITCH ? 'io' : 'flow';
    default:
      return kind satisfies never;
  }
}
