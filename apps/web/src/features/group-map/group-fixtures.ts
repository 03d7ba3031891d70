import type { ReplyOf } from '@headrace/contract/endpoint';
import type { GroupInfo, IpcStatus } from '@headrace/contract/groups';
import type { groupUnits } from '@headrace/contract/map-units';
import { conditions } from '@headrace/contract/rules/condition';
import { emptyGroup, MINUTE, uid } from '../../testing/fixtures.ts';

/** A sprinkler that is well, heard `n` minutes ago; its place is its own. */
export const buildUnit = (n: number, over: Partial<IpcStatus> = {}): IpcStatus => ({
  id: uid(1000 + n),
  name: `A${n}`,
  serial: String(40_000 + n),
  mac: '0018B2000A4F0001',
  lat: -43.75 - n * 0.0004,
  lng: 172.03,
  channel: 1,
  farmid: '01:01',
  groups: [],
  condition: conditions.ok,
  active: false,
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
  spareStatus: 1,
  charge: 88,
  clock: 0,
  mode: 'run',
  hops: 1,
  lastpoll: Date.now() - n * MINUTE,
  statustime: Date.now() - n * MINUTE,
  laststatus: '01/11/2026 09:00',
  laststatusraw: Date.now() - n * MINUTE,
  schedulenum: 1,
  schedname: 'Set 1',
  schedules: 30,
  curCycleDay: 1,
  cycleLen: 1,
  ipc_crc: '1A:2B',
  inc_crc: '1A:2B',
  valveOpen: false,
  valveAt: Date.now() - n * MINUTE,
  belief: null,
  activeAt: [],
  ...over,
});

type Group = ReplyOf<typeof groupUnits>;

/** All of a group of these units, as the server tells of it. */
export const buildGroup = (units: IpcStatus[], over: Partial<Group> = {}): Group => ({
  ...emptyGroup,
  units,
  total: units.length,
  ...over,
});

export const buildOther = (n: number, name: string, over: Partial<GroupInfo['sensors'][number]> = {}) => ({
  id: uid(2000 + n),
  name,
  serial: `SN${n}`,
  type: 0,
  lat: -43.76,
  lng: 172.04,
  statustime: Date.now() - 5 * MINUTE,
  ...over,
});
