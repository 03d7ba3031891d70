import type { IpcStatus } from '@headrace/contract/groups';
import { lived } from '@headrace/contract/rules/alerts/alert-life';
import { expect, it } from 'vitest';
import type { FarmView } from '../farm-view.ts';
import { type RuleRow, SCHEDULE_PART } from '../observation.ts';
import { lifeRuleOf } from '../rule-life.ts';
import type { SentSchedule } from '../sends.repo.ts';
import { observeErrors } from './sprinkler-errors.ts';

const HOUR_MS = 3_600_000;
const now = Date.parse('2026-11-21T00:00:00Z');
const rule = { kind: 'SprinklerError', condition: 'any', hold_min: 60, class: null, device_ids: [] };

/** What its schedule error is by: a unit that was last heard, and told to water by another schedule, so many hours ago. */
async function stepsOf(heardH: number, wantedH: number, isOnItsWay: boolean) {
  const status = {
    statustime: now - heardH * HOUR_MS,
    outOfService: false,
    isSpareUnit: false,
    isOutOfContact: false,
    hasClockError: false,
    hasBatteryError: false,
    hasScheduleError: true,
  };
  const sent: SentSchedule = { wantedAt: now - wantedH * HOUR_MS, isOnItsWay };
  const view = {
    now,
    units: async () => [{ row: { id: 1, name: 'A1' }, status: status as IpcStatus }],
    sentSchedules: async (ids: readonly number[]) => new Map(ids.map((id) => [id, sent])),
  };
  const observed = await observeErrors(view as unknown as FarmView, rule as unknown as RuleRow);
  const seen = observed.find(({ part }) => part === SCHEDULE_PART)?.seen[0];
  if (!seen) throw new Error('not seen');
  const of = lifeRuleOf({ kind: 'SprinklerError', condition: 'any', hold_min: 60 }, SCHEDULE_PART);
  const { life, steps } = lived(null, seen, of, now);
  return [life?.state ?? null, ...steps];
}

it.each([
  ['nothing while a send to it waits, however long', 7, 38, true, [null]],
  ['nothing at once where it was heard before it was told', 7, 0, false, ['pending']],
  ['nothing within six hours of that', 7, 5.9, false, ['pending']],
  ['nothing at its first word after a send, which may be an old one', 0, 38, false, ['pending']],
  ['an error six hours after', 7, 6, false, ['firing', 'fired']],
])(
  'a unit that says another schedule than it is to hold is %s',
  async (_what, heard, wanted, isComing, steps) => {
    expect(await stepsOf(heard, wanted, isComing)).toEqual(steps);
  },
);
