import type { MapUnit } from '@headrace/contract/map-units';
import { conditions } from '@headrace/contract/rules/condition';
import type { Made } from '../made.ts';

/** 22/11/2026 06:30 NZDT */
export const NOW = Date.parse('2026-11-21T17:30:00Z');

export const made: Made = {
  farm: 'Rākaia Downs',
  zone: { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true },
  by: 'Mere Ellison',
  at: NOW,
};

/** A sprinkler that is well, heard 49 min ago. */
export const buildUnit = (n: number, over: Partial<MapUnit> = {}): MapUnit => ({
  id: String(n),
  name: `A${n}`,
  serial: String(100_400 + n),
  mac: '0018B2000A4F0001',
  lat: -43.75 - n * 0.0004,
  lng: 172.03,
  groups: [],
  condition: conditions.ok,
  isInhibited: false,
  stopWanted: null,
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
  charge: 88,
  clock: 0,
  lastpoll: NOW,
  statustime: NOW - 49 * 60_000,
  cycleLen: 1,
  ipc_crc: '1A:2B',
  inc_crc: '1A:2B',
  valveOpen: false,
  valveAt: NOW,
  belief: null,
  activeAt: [],
  ...over,
});
