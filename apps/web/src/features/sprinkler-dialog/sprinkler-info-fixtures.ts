import type { IpcStatus } from '@headrace/contract/groups';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { WateringRun } from '@headrace/contract/waterings';
import { HOUR, MINUTE, rakaia, uid } from '../../testing/fixtures.ts';

/** All of a unit that holds what it is to: the set Summer, 29 min a day. */
export const buildSprinklerInfo = (unit: IpcStatus, over: Partial<SprinklerInfo> = {}): SprinklerInfo => {
  const at = Date.now() - 9 * MINUTE;
  const programme = {
    setId: uid(4001),
    setName: 'Summer',
    crc: '1A:2B',
    entries: [{ start: 312, duration: 29, cycle: 1 }],
    cycleDays: 1,
    since: at,
  };
  return {
    ...unit,
    state: 'ok',
    macAddress: unit.mac,
    location: null,
    farmUID: rakaia._id,
    belief: {
      state: 'closed',
      since: at,
      until: null,
      basis: 'said',
      cause: 'none',
      reasons: [],
      facts: {
        said: { isOpen: false, at, since: at },
        heardAt: at,
        clockS: 0,
        run: null,
        firstReportRun: null,
        lastReportRun: null,
        opening: null,
        unansweredUntil: null,
        unansweredClosesBy: null,
        offAt: null,
      },
    },
    wanted: { ...programme, scheduleGroup: 'Line A', commandId: null },
    held: { ...programme, state: 'wanted', how: 'said', stoppedAt: null },
    stopWanted: null,
    holdUntil: null,
    next: [buildNext()],
    lps: 0.5,
    mmPerMin: 0.2,
    runs: [],
    alerts: [],
    battery: { charge: unit.charge, at, replacedAt: null, threshold: 50, forecast: null },
    reportedAt: {
      charge: at,
      clock: at,
      checksum: at,
      entries: at,
      cycleDay: at,
      mode: at,
      hops: at,
    },
    gateway: { uid: uid(2001), name: 'Shed gateway', contactAt: at },
    repeater: null,
    lastSwap: null,
    commands: [],
    ...over,
  };
};

export const buildNext = (
  over: Partial<SprinklerInfo['next'][number]> = {},
): SprinklerInfo['next'][number] => ({
  startAt: Date.now() + 3 * HOUR,
  endAt: Date.now() + 3 * HOUR + 29 * MINUTE,
  cycle: 1,
  duration: 29,
  clock: 'plain',
  fate: { kind: 'will', reasons: [], shiftS: 0 },
  ...over,
});

export const buildRun = (over: Partial<WateringRun> = {}): WateringRun => ({
  uid: uid(1009),
  openedAt: '2026-11-20T16:12:00.000Z',
  openedHow: 'said',
  openUntil: '2026-11-20T16:12:00.000Z',
  closedAt: '2026-11-20T16:41:00.000Z',
  closedHow: 'said',
  commandId: null,
  endsAt: '2026-11-20T16:41:00.000Z',
  mmPerMin: 0.2,
  ...over,
});
