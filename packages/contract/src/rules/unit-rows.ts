import type { MapUnit, UnitRow } from '../map-units.ts';

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
  activeAt: [],
} as const satisfies {
  readonly [Name in Exclude<keyof MapUnit, 'id' | 'name' | 'serial' | 'stopWanted'>]: unknown;
};

/** A sprinkler without what is as usual. */
export function toUnitRow(unit: MapUnit): UnitRow {
  const row: Record<string, unknown> = { id: unit.id, name: unit.name, serial: unit.serial };
  for (const [member, value] of usualMembers) {
    const own = unit[member];
    if (own !== value && !(Array.isArray(own) && own.length === 0)) row[member] = own;
  }
  if (unit.stopWanted !== undefined && unit.stopWanted !== null) row['stopWanted'] = unit.stopWanted;
  return row as UnitRow;
}
const usualMembers = Object.entries(usual) as [keyof typeof usual, unknown][];

export const fromUnitRow = (row: UnitRow): MapUnit => ({ ...usual, groups: [], activeAt: [], ...row });
