import type { MapUnit, UnitRow } from '../map-units.ts';
import { shortRows } from './short-rows.ts';

/** What a member is where a row leaves it out. */
export const usual = {
  mac: '',
  lat: null,
  lng: null,
  groups: [],
  condition: 0,
  isInhibited: false,
  isOutOfContact: false,
  hasError: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  isScheduleComing: false,
  isPlaceholder: false,
  isSpareUnit: false,
  isPartSprinkler: false,
  outOfService: false,
  active: false,
  charge: null,
  clock: null,
  lastpoll: 0,
  statustime: 0,
  cycleLen: 1,
  ipc_crc: null,
  inc_crc: null,
  valveOpen: false,
  valveAt: 0,
  belief: null,
  activeAt: [] as MapUnit['activeAt'],
} satisfies Partial<MapUnit>;

type Always = 'id' | 'name' | 'serial';
const rows = shortRows<MapUnit, Always, Omit<MapUnit, Always | 'stopWanted'>>(
  ['id', 'name', 'serial'],
  usual,
);

/** A sprinkler without what is as usual. */
export const toUnitRow = (unit: MapUnit): UnitRow => ({
  ...rows.toRow(unit),
  ...(unit.stopWanted !== undefined && unit.stopWanted !== null && { stopWanted: unit.stopWanted }),
});

export const fromUnitRow = (row: UnitRow): MapUnit => rows.fromRow(row);
