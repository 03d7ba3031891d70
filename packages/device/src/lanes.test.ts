import { expect, it } from 'vitest';
import { commandTable } from './commands.ts';
import { laneOf, lanes } from './lanes.ts';

const named = (lane: number, payload?: object) =>
  commandTable.filter(({ type }) => laneOf(type, payload) === lane).map(({ name }) => name);

it('a stop is what closes valves, holds units back or switches a relay off', () => {
  expect(named(lanes.stop, { set: false })).toEqual([
    'ValveOff',
    'Inhibit',
    'InhibitGroup',
    'ToggleIO',
    'TurnGroupValvesOff',
  ]);
});

it('a start is what lets water run, also a unit that was held back', () => {
  expect(named(lanes.start, { set: true })).toEqual([
    'ValveOn',
    'Uninhibit',
    'UninhibitGroup',
    'ToggleIO',
    'TurnGroupValvesOn',
  ]);
});

it('what is sent to many units comes last', () => {
  expect(named(lanes.many)).toEqual([
    'UpdateSchedule',
    'SendScheduleSet',
    'IncScheduleAll',
    'ChangeGroupComms',
    'PollGroup',
    'ReconfigureGroup',
    'RefreshAll',
  ]);
});
