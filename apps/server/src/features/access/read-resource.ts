import type { Resource } from '@headrace/contract/permissions';
import type { DeviceKind } from '../../db/schema.ts';

/** What one has to be allowed to read to see devices of a kind. */
export const readResource = {
  gateway: 'gateways',
  sprinkler: 'irrigationDevices',
  repeater: 'repeaters',
  sensor: 'sensors',
  poi: 'pois',
} as const satisfies Record<DeviceKind, Resource>;
