import type { StatusUpdate } from '@headrace/contract/live';
import { can, flag, type Right } from '@headrace/contract/permissions';
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

/** The latest facts of a device changed: for those who may read that kind of device. */
export function statusEvent(farmId: number, update: StatusUpdate): LiveEvent {
  return { farmId, frame: { type: 'status_update', data: update }, anyOf: neededFor[update.type] };
}
