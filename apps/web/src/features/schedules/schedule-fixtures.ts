import { defaultWaterApplication } from '@headrace/contract/default-farm';
import type { ScheduleFarm, ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { rakaia, uid } from '../../testing/fixtures.ts';

export const farmUID = rakaia._id;

/** A lateral group with so many sprinklers, N1, N2… after its first letter. */
export function scheduleGroup(n: number, name: string, sprinklers: number): ScheduleFarm['groups'][number] {
  return {
    uid: uid(8100 + n),
    name,
    isLateral: true,
    walConfig: defaultWaterApplication,
    ipcs: Array.from({ length: sprinklers }, (_none, index) => ({
      id: uid(100_000 + n * 1000 + index),
      name: `${name.charAt(0)}${index + 1}`,
      serialNumber: `IPC${n}${String(index + 1).padStart(4, '0')}`,
      lat: null,
      lng: null,
    })),
  };
}

export const scheduleFarm = (...groups: ScheduleFarm['groups']): ScheduleFarm => ({
  farm: { _id: farmUID, name: rakaia.name },
  groups,
  walConfig: defaultWaterApplication,
  v3Site: false,
});

export const buildTemplate = (over: Partial<ScheduleTemplate> = {}): ScheduleTemplate => ({
  _id: uid(9200),
  farmUID,
  name: 'Summer',
  groups: [{ uid: uid(8101), name: 'North', isGone: false }],
  settings: { duration: 28 },
  windy: false,
  leveling: false,
  startMin: 0,
  limits: null,
  version: 1,
  updatedAt: '2026-01-14T02:00:00.000Z',
  ...over,
});
