import { expect, test } from 'vitest';
import { unitAlerts } from './unit-alerts.ts';

const well = {
  isOutOfContact: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  isInhibited: false,
};

test('what is wrong stands in the order of the specification, each with what to do', () => {
  const all = {
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

test('a unit that is well has none', () => {
  expect(unitAlerts(well)).toEqual([]);
});
