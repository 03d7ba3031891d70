import type { ListedUnit } from '../unit-list.ts';
import { shortRows } from './short-rows.ts';

/** What a member is where a row leaves it out. */
export const usualListed = {
  description: '',
  macAddress: '',
  farmId: '01:01',
  channel: 1,
  commsMode: 1,
  lat: null,
  lng: null,
  groups: [],
  gatewayUID: null,
  isSpareUnit: false,
  isPartSprinkler: false,
  isPlaceholder: false,
  outOfService: false,
  reconfigure: false,
  spareStatus: 1,
  statusTime: 0,
  charge: null,
} satisfies Partial<ListedUnit>;

type Always = '_id' | 'name' | 'serialNumber';
const rows = shortRows<ListedUnit, Always, Omit<ListedUnit, Always>>(
  ['_id', 'name', 'serialNumber'],
  usualListed,
);

export const { toRow: toListedRow, fromRow: fromListedRow } = rows;
