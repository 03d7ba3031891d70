import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { farmCalendar } from '@headrace/contract/rules/active-now';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { UnitProgram } from '../irrigation-devices/farm-units.ts';
import { farmContext, toStatus } from './present-status.ts';
import type { SprinklerRow } from './sprinkler-status.repo.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const auckland = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};
/** 10:00 in New Zealand's summer time. */
const morning = Date.parse('2026-11-20T21:00:00Z');

const waterBy = (entries: readonly ScheduleEntry[]): UnitProgram => ({
  device_id: 1,
  schedule_group: '',
  crc: 'AA:BB',
  entries,
  cycle_days: 2,
});
const row = (values: Partial<SprinklerRow> = {}): SprinklerRow => ({
  id: 1,
  uid: 'a'.repeat(24),
  name: 'A1',
  serial_number: 'S1',
  lat: null,
  lng: null,
  mac: null,
  settings: {},
  gateway_id: null,
  groups: [],
  status_at: morning,
  charge: 90,
  charge_at: morning,
  clock: 0,
  hops: 1,
  valve: null,
  valve_at: null,
  open_since: null,
  valve_off: null,
  valve_orders: null,
  schedule_num: null,
  cycle_day: 1,
  cycle_day_at: morning,
  cycle_len: 2,
  ipc_crc: null,
  mode: null,
  polled_at: null,
  wanted: null,
  held: null,
  is_sending: false,
  stop_since: null,
  has_twin: false,
  ...values,
});

interface Around {
  charge?: number;
  clock?: number;
  channel?: number;
  isScheduled?: boolean;
}
const farmAt = (now: number, { charge = 50, clock = 60, channel = 1, isScheduled = true }: Around = {}) =>
  farmContext({ isScheduled, radio: { farmId: '01:01', channel } }, farmCalendar(auckland, now), () => ({
    charge,
    clock,
  }));

describe('a status that was reckoned before', () => {
  it('is the same object while nothing changes it', () => {
    const unit = row({ wanted: waterBy([{ start: 720, duration: 60, cycle: 1 }]) });
    const first = toStatus(unit, farmAt(morning));
    // It waters from 12:00, two hours later.
    expect(toStatus(unit, farmAt(morning + 2 * HOUR - 1))).toBe(first);
    expect(toStatus(unit, farmAt(morning + 2 * HOUR))).toMatchObject({ active: true, condition: 1000 });
    expect(toStatus(unit, farmAt(morning + 3 * HOUR))).toMatchObject({ active: false, condition: 0 });
  });

  it.each<[string, Partial<SprinklerRow>, number]>([
    ['the watering begins', { wanted: waterBy([{ start: 720, duration: 60, cycle: 1 }]) }, 2 * HOUR],
    ['the farm is at midnight', { wanted: waterBy([{ start: 720, duration: 60, cycle: 2 }]) }, 14 * HOUR],
    [
      'a valve that a command opened should have closed, and five minutes more',
      {
        valve_orders: {
          opening: { openedAt: morning, closesBy: morning + HOUR },
          unansweredUntil: null,
          unansweredClosesBy: null,
        },
      },
      HOUR + 5 * MINUTE + 1,
    ],
    [
      'a run was not heard of since',
      { wanted: waterBy([{ start: 720, duration: 60, cycle: 1 }]), valve: 0, valve_at: morning },
      3 * HOUR,
    ],
    ['nothing was heard for 30 days', { status_at: morning - 29 * DAY }, DAY + 1],
  ])('is reckoned anew when %s, and not a moment later', (_, values, ms) => {
    const unit = row(values);
    const before = toStatus(unit, farmAt(morning + ms - 1));
    const after = toStatus(unit, farmAt(morning + ms));
    expect(after).not.toEqual(before);
    expect(after).toEqual(toStatus({ ...unit }, farmAt(morning + ms)));
  });

  it.each<[string, Partial<SprinklerRow>, Around]>([
    ['the gateway calls more charges low', {}, { charge: 95 }],
    ['the gateway allows clocks less', { clock: 30 }, { clock: 20 }],
    ['a schedule is sent for the first time', {}, { isScheduled: false }],
    ['most units have another channel', { settings: { isSpareUnit: true }, mode: 'Local' }, { channel: 2 }],
  ])('is reckoned anew when %s', (_, values, around) => {
    const unit = row(values);
    toStatus(unit, farmAt(morning));
    const after = toStatus(unit, farmAt(morning, around));
    expect(after).toEqual(toStatus({ ...unit }, farmAt(morning, around)));
  });

  it('never differs from one that is reckoned now, whatever the clock does', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const entry = fc.record({
      start: minute,
      duration: fc.integer({ min: 1, max: 1500 }),
      cycle: fc.integer({ min: 1, max: 3 }),
    });
    const near = fc.integer({ min: -31 * DAY, max: DAY }).map((ms) => morning + ms);
    const unit = fc.record({
      wanted: fc.option(fc.array(entry, { maxLength: 3 }).map(waterBy)),
      held: fc.option(
        fc.option(fc.array(entry, { maxLength: 3 })).map((entries) => ({
          ...waterBy([]),
          crc: 'CC:DD',
          entries,
          how: 'said' as const,
          since: 0,
          stopped_at: null,
        })),
      ),
      status_at: fc.option(near),
      valve: fc.option(fc.constantFrom(0, 1)),
      valve_at: fc.option(near),
      open_since: fc.option(near.map((at) => new Date(at).toISOString())),
      valve_off: fc.option(near.map((at) => new Date(at).toISOString())),
      valve_orders: fc.option(
        fc.record({
          opening: fc.option(near.map((openedAt) => ({ openedAt, closesBy: openedAt + HOUR }))),
          unansweredUntil: fc.option(near),
          unansweredClosesBy: fc.option(near),
        }),
      ),
      clock: fc.option(fc.integer({ min: -300, max: 300 })),
      ipc_crc: fc.option(fc.constantFrom('D6:DA', 'AA:BB')),
      cycle_day: fc.option(fc.integer({ min: 1, max: 3 })),
      cycle_day_at: fc.option(near),
      cycle_len: fc.option(fc.integer({ min: 1, max: 3 })),
    });
    // Across the night in which summer time ends, too.
    const times = fc.array(fc.integer({ min: -2 * DAY, max: 150 * DAY }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(unit, times, (values, moments) => {
        const known = row(values);
        for (const ms of moments.flatMap((moment) => [moment, moment + 30_000, moment + HOUR]))
          expect(toStatus(known, farmAt(morning + ms))).toEqual(toStatus({ ...known }, farmAt(morning + ms)));
      }),
      { numRuns: 300 },
    );
  });
});
