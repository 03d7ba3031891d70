import { describe, expect, it } from 'vitest';
import { commandTypes } from '../command-types.ts';
import { type AlertFacts, sprinklerAlerts } from './sprinkler-alerts.ts';

const well: AlertFacts = {
  isOutOfContact: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  isScheduleComing: false,
  isInhibited: false,
  hasNoSchedule: false,
  belief: { state: 'closed', until: null },
  silentSince: null,
  heldSince: null,
  wantedSince: null,
  inhibitedSince: null,
};
const of = (facts: Partial<AlertFacts>) => sprinklerAlerts({ ...well, ...facts });

it('is nothing of one that is well', () => {
  expect(of({})).toEqual([]);
  expect(of({ silentSince: 5, heldSince: 6, inhibitedSince: 7 })).toEqual([]);
});

it('has everything in one order', () => {
  const all = of({
    isOutOfContact: true,
    hasBatteryError: true,
    hasClockError: true,
    hasScheduleError: true,
    isInhibited: true,
    belief: { state: 'openOverdue', until: 40 },
    silentSince: 10,
    heldSince: 20,
    wantedSince: 30,
    inhibitedSince: 50,
  });
  expect(all).toEqual([
    { kind: 'openOverdue', since: 40, remedy: commandTypes.ValveOff },
    { kind: 'outOfContact', since: 10, remedy: commandTypes.IpcUpdate },
    { kind: 'battery', since: null, remedy: null },
    { kind: 'clock', since: null, remedy: commandTypes.IncTimeSet },
    { kind: 'schedule', since: 30, remedy: commandTypes.UpdateSchedule },
    { kind: 'inhibited', since: 50, remedy: commandTypes.Uninhibit },
  ]);
});

describe('a wrong schedule', () => {
  it.each([
    [20, 30, 30],
    [30, 20, 30],
    [null, 20, null],
    [20, null, null],
  ])('held since %s and wanted since %s is wrong since %s', (heldSince, wantedSince, since) => {
    expect(of({ hasScheduleError: true, heldSince, wantedSince })[0]?.since).toBe(since);
  });
});

it('is no wrong schedule while the new one is on its way to it', () => {
  expect(of({ hasScheduleError: true, isScheduleComing: true, heldSince: 20, wantedSince: 30 })).toEqual([]);
});

it('is no stop of one that says so because it holds nothing and is to', () => {
  expect(of({ isInhibited: true, hasNoSchedule: true, inhibitedSince: 7 })).toEqual([]);
});

it('does not know since when one is out of contact that was never heard', () => {
  expect(of({ isOutOfContact: true })).toMatchObject([{ kind: 'outOfContact', since: null }]);
});
