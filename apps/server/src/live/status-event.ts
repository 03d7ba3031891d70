import type { RecordKind, StatusUpdate } from '@headrace/contract/live';
import { can, flag, needs, type Right } from '@headrace/contract/permissions';
import type { LiveEvent } from './live-bus.ts';

const dashboard = flag('dashboard');
const neededFor: Record<StatusUpdate['type'], readonly Right[]> = {
  tank_level: [can('sensors', 'Read'), dashboard, flag('sprinklersStatus')],
  flow: [can('sensors', 'Read'), dashboard],
  soil_moisture: [can('sensors', 'Read'), dashboard],
  gateway: [can('gateways', 'Read'), dashboard, flag('sprinklersStatus')],
  io: [can('gateways', 'Read'), dashboard, flag('sprinklersStatus')],
  repeater: [can('repeaters', 'Read'), flag('sprinklersStatus')],
  ipc: [can('irrigationDevices', 'Read'), flag('sprinklersStatus')],
};

/** For a sprinkler's whole status: as for GET /group/info, which says the same. */
export const neededForSprinklers: readonly Right[] = [flag('sprinklersStatus')];

/** For how many are how: as for GET /ipc/status, which says the same. */
export const neededForCounts: readonly Right[] = needs.countSprinklers.anyOf;

/** Who sees something of such records: themselves, their names on the map, or how many there are. */
export const neededForRecords: Record<RecordKind, readonly Right[]> = {
  farm: [can('farms', 'Read'), dashboard, flag('sprinklersStatus')],
  group: [
    can('groups', 'Read'),
    flag('sprinklersStatus'),
    can('irrigationDevices', 'Read'),
    can('pois', 'Read'),
  ],
  sprinkler: [can('irrigationDevices', 'Read'), flag('sprinklersStatus'), can('groups', 'Read'), dashboard],
  gateway: neededFor.gateway,
  repeater: neededFor.repeater,
  sensor: [can('sensors', 'Read'), dashboard, flag('sprinklersStatus')],
  poi: [can('pois', 'Read'), flag('sprinklersStatus')],
  'schedule template': [can('schedules', 'Read')],
  'schedule set': [can('schedules', 'Read')],
  alert: [flag('notifications')],
};

/** The latest facts of a device changed: for those who may read that kind of device. */
export function statusEvent(farmId: number, update: StatusUpdate): LiveEvent {
  return { farmId, frame: { type: 'status_update', data: update }, anyOf: neededFor[update.type] };
}
