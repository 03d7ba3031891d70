import { expect, test } from 'vitest';
import { unitAlerts } from './unit-alerts.ts';

const well = {
  isOutOfContact: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  isScheduleComing: false,
  isInhibited: false,
  inc_crc: '1A:2B',
};

test('what is wrong stands in the order of the specification, each with what to do', () => {
  const all = {
    ...well,
    isOutOfContact: true,
    hasBatteryError: true,
    hasClockError: true,
    hasScheduleError: true,
    isInhibited: true,
  };
  expect(unitAlerts(all).map(({ text, remedy }) => [text, remedy])).toEqual([
    ['This unit is out of contact for more than 30 days!', 'IpcUpdate'],
    ['The battery charge is very low!', 'battery'],
    ['The ipc has a clock error!', 'IncTimeSet'],
    ['The ipc has a schedule error!', 'UpdateSchedule'],
    ['This IPC is inhibited.', 'Uninhibit'],
  ]);
});

test.each([null, 'D6:DA'])('a unit that is to hold nothing (%s) is not called inhibited', (wanted) => {
  const spare = { ...well, isInhibited: true, inc_crc: wanted };
  expect(unitAlerts(spare)).toEqual([]);
  // Somebody stopped it: that is more than to hold nothing.
  expect(unitAlerts({ ...spare, stopWanted: 1 })).toMatchObject([{ kind: 'inhibited' }]);
});

test('a unit to which a new schedule is on its way has no schedule error', () => {
  expect(unitAlerts({ ...well, hasScheduleError: true, isScheduleComing: true })).toEqual([]);
});

test('a unit that is well has none', () => {
  expect(unitAlerts(well)).toEqual([]);
});
