import type { ScheduleFarm, TemplateDesign } from '../../schedule-templates.ts';
import type { SetUnit } from '../../schedules.ts';
import { compareNatural } from '../natural-order.ts';
import { millimetresPerMinute } from '../water-application.ts';
import { computePlan } from './compute-plan.ts';
import { DAY_MINUTES, type Plan, type PlanGroup, type Planned } from './plan.ts';
import type { Run } from './programme.ts';

type Farm = Pick<ScheduleFarm, 'groups' | 'v3Site'>;

/** When each sprinkler of the template's groups waters; groups that the farm doesn't have are left out. */
export function planTemplate(farm: Farm, design: Omit<TemplateDesign, 'name'>): Planned {
  const { duration, cycleLen = DAY_MINUTES } = design.settings;
  return computePlan(groupsOf(farm, design), {
    durationMin: duration,
    windy: design.windy ?? false,
    leveling: design.leveling ?? false,
    isV3: farm.v3Site,
    startMin: design.startMin ?? 0,
    // A day is what most plans need, not what somebody chooses.
    cycleMin: cycleLen === DAY_MINUTES ? null : cycleLen,
    limits: design.limits ?? null,
  });
}

/** The groups of a design as they are planned; those that the farm doesn't have are left out. */
export function groupsOf(farm: Farm, design: Omit<TemplateDesign, 'name'>): PlanGroup[] {
  const byUid = new Map(farm.groups.map((group) => [group.uid, group]));
  return design.groups.flatMap(({ uid, lines = 1, duration = null }) => {
    const group = byUid.get(uid);
    if (!group) return [];
    const water = {
      lps: group.walConfig.sprinklerFlow,
      mmPerMin: millimetresPerMinute(group.walConfig),
    };
    const units = group.ipcs.map(({ id, name, serialNumber }) => ({
      id,
      name,
      serial: serialNumber,
      ...water,
    }));
    return [{ uid: group.uid, name: group.name, lines, durationMin: duration, units }];
  });
}

/** The plan by sprinkler, by name; a sprinkler of two groups stands there for each. Several rounds a day are spelled out. */
export const schedulesOf = (plan: Plan, farm: Farm): SetUnit[] =>
  unsortedSchedulesOf(plan, farm).toSorted(
    (one, other) =>
      compareNatural(one.name, other.name) ||
      compareNatural(one.serialNumber, other.serialNumber) ||
      compareNatural(one.scheduleGroup, other.scheduleGroup),
  );

/** The same in the plan's own order: the natural order of thousands of names takes longer than planning them. */
export function unsortedSchedulesOf({ runs, cycleMin }: Plan, farm: Farm): SetUnit[] {
  const unitOf = new Map(farm.groups.flatMap(({ ipcs }) => ipcs.map((unit) => [unit.id, unit])));
  const groupOf = new Map(farm.groups.map(({ uid, name }) => [uid, name]));
  return runs.map((run) => ({
    name: unitOf.get(run.unit)?.name ?? '',
    serialNumber: unitOf.get(run.unit)?.serialNumber ?? '',
    group: groupOf.get(run.group) ?? '',
    scheduleGroup: run.scheduleGroup,
    schedules: roundsOf(run, cycleMin),
  }));
}

const roundsOf = ({ start, duration, cycle }: Run, cycleMin: number) =>
  Array.from({ length: Math.max(1, Math.floor(DAY_MINUTES / cycleMin)) }, (_, round) => ({
    start: start + round * cycleMin,
    duration,
    cycle,
  }));

/** What a plan takes, L on the mean of its cycle's days. */
export function litresADay({ runs, cycleMin }: Plan, { groups }: Pick<Farm, 'groups'>): number {
  const lpsOf = new Map(groups.map(({ uid, walConfig }) => [uid, walConfig.sprinklerFlow]));
  const litres = runs.reduce((sum, { group, duration }) => sum + duration * 60 * (lpsOf.get(group) ?? 0), 0);
  return (litres * DAY_MINUTES) / cycleMin;
}
