import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ScheduleSet as PublishedSet, SetUnit } from '@headrace/contract/schedules';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { breathe, mapInTurns } from '../../jobs/in-turns.ts';
import type { ScheduleSet } from './schedule-sets.ts';
import type { SetUnitRow } from './schedules.repo.ts';

const DAY_MINUTES = 1440;

export interface FarmGroup {
  readonly name: string;
  readonly uid: string;
}

/** As the published API has it, sprinklers by name, with the groups of the farm as they are now. By turns: it may have thousands. */
export async function toSet(
  { uid, name, cycleMinutes }: Pick<ScheduleSet, 'uid' | 'name' | 'cycleMinutes'>,
  units: readonly SetUnitRow[],
  farmGroups: readonly FarmGroup[],
): Promise<PublishedSet> {
  const groups = groupsOf(units, farmGroups);
  const cycleLen = cycleMinutes ?? cycleOf(units);
  const schedules = await mapInTurns(units, toUnit);
  await breathe();
  return { _id: uid, name, groups, schedules: schedules.toSorted(byName), settings: { cycleLen } };
}

const byName = (one: SetUnit, other: SetUnit) =>
  compareNatural(one.name, other.name) ||
  compareNatural(one.serialNumber, other.serialNumber) ||
  compareNatural(one.scheduleGroup, other.scheduleGroup);

type OfGroup = Pick<SetUnitRow, 'groupUid' | 'groupName' | 'scheduleGroup'>;

/** Each once, by the name that it had then. */
export function groupsOf(
  units: readonly OfGroup[],
  farmGroups: readonly FarmGroup[],
): PublishedSet['groups'] {
  const uids = new Set(farmGroups.map(({ uid }) => uid));
  const uidOf = new Map(farmGroups.map(({ name, uid }) => [name.toLowerCase(), uid]));
  const found = new Map<string, PublishedSet['groups'][number]>();
  for (const unit of units) {
    const name = groupNameOf(unit);
    if (name === '') continue;
    const known = uids.has(unit.groupUid) ? unit.groupUid : '';
    const uid = unit.groupUid === '' ? (uidOf.get(name.toLowerCase()) ?? '') : known;
    found.set(unit.groupUid || name, { name, uid });
  }
  return [...found.values()].toSorted((one, other) => compareNatural(one.name, other.name));
}

/** Sets from before don't say: there the line is named after its group, `North` or `North/2`. */
const groupNameOf = ({ groupUid, groupName, scheduleGroup }: OfGroup): string =>
  groupUid === '' ? scheduleGroup.replace(/\/\d+$/, '') : groupName;

const toUnit = (unit: SetUnitRow): SetUnit => ({
  name: unit.name,
  serialNumber: unit.serialNumber,
  group: groupNameOf(unit),
  scheduleGroup: unit.scheduleGroup,
  schedules: unit.entries.map(overCycle),
});

/** Minutes over the whole cycle, also of one that was stored with minutes of its day. */
const overCycle = ({ start, duration, cycle }: ScheduleEntry): ScheduleEntry => ({
  start: (cycle - 1) * DAY_MINUTES + (start % DAY_MINUTES),
  duration,
  cycle,
});

const cycleOf = (units: readonly SetUnitRow[]) =>
  DAY_MINUTES * units.flatMap(({ entries }) => entries).reduce((most, { cycle }) => Math.max(most, cycle), 1);
