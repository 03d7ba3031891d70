import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ScheduleSet as PublishedSet, SetUnit } from '@headrace/contract/schedules';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { ScheduleSet } from './schedule-sets.ts';
import type { SetUnitRow } from './schedules.repo.ts';

const DAY_MINUTES = 1440;

/** As the published API has it, sprinklers by name; `groupUid` of a group of the farm, by its name. */
export function toSet(
  { uid, name, cycleMinutes }: ScheduleSet,
  units: readonly SetUnitRow[],
  groupUid: (name: string) => string | undefined,
): PublishedSet {
  const schedules = units.map(toUnit).toSorted(byName);
  const groups = [...new Set(schedules.map(({ group }) => group))].filter((group) => group !== '');
  return {
    _id: uid,
    name,
    groups: groups.toSorted(compareNatural).map((group) => ({ name: group, uid: groupUid(group) ?? '' })),
    schedules,
    settings: { cycleLen: cycleMinutes ?? cycleOf(units) },
  };
}

const byName = (one: SetUnit, other: SetUnit) =>
  compareNatural(one.name, other.name) || compareNatural(one.serialNumber, other.serialNumber);

/** A line is named after its group: `North`, or `North/2`. */
const toUnit = ({ name, serialNumber, scheduleGroup, entries }: SetUnitRow): SetUnit => ({
  name,
  serialNumber,
  group: scheduleGroup.replace(/\/\d+$/, ''),
  scheduleGroup,
  schedules: entries.map(overCycle),
});

/** Minutes over the whole cycle, also of one that was stored with minutes of its day. */
const overCycle = ({ start, duration, cycle }: ScheduleEntry): ScheduleEntry => ({
  start: (cycle - 1) * DAY_MINUTES + (start % DAY_MINUTES),
  duration,
  cycle,
});

const cycleOf = (units: readonly SetUnitRow[]) =>
  DAY_MINUTES * units.flatMap(({ entries }) => entries).reduce((most, { cycle }) => Math.max(most, cycle), 1);
