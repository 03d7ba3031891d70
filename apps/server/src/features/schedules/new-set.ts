import type { BodyOf } from '@headrace/contract/endpoint';
import { beyondSupply, findConflicts } from '@headrace/contract/rules/schedule/find-conflicts';
import { findingText, foundOnce } from '@headrace/contract/rules/schedule/finding-labels';
import {
  DAY_MINUTES,
  type Finding,
  type Limits,
  type PlanUnit,
} from '@headrace/contract/rules/schedule/plan';
import type { Run } from '@headrace/contract/rules/schedule/programme';
import { planTemplate, unsortedSchedulesOf } from '@headrace/contract/rules/schedule/template-plan';
import { millimetresPerMinute } from '@headrace/contract/rules/water-application';
import type { createSet, SetFigures } from '@headrace/contract/schedule-sets';
import type { ScheduleFinding } from '@headrace/contract/schedules';
import type { ScheduleFarm, TemplateDesign } from '@headrace/contract/schedule-templates';
import { ApiFailure, invalid } from '../../http/errors.ts';
import { breathe } from '../../jobs/in-turns.ts';
import { refuseUnknown } from './design-checks.ts';
import type { NewSetUnit } from './schedule-sets.ts';

type Body = BodyOf<typeof createSet>;
type Group = ScheduleFarm['groups'][number];

/** A sprinkler of the farm, in service or not. */
export interface FarmUnit {
  readonly deviceId: number;
  readonly uid: string;
  readonly name: string;
  readonly serialNumber: string;
}

/** A body that may be stored. */
export interface CheckedSet {
  readonly units: readonly NewSetUnit[];
  /** As its design is kept. */
  readonly settings: TemplateDesign['settings'];
  readonly isByHand: boolean;
  readonly findings: readonly ScheduleFinding[];
  readonly figures: SetFigures;
}

interface Turn {
  readonly unit: FarmUnit;
  readonly group: Group;
  readonly row: Body['schedules'][number];
}

const FINDINGS_KEPT = 100;

/** By the rules of a computation, in steps between which others have their turn; what is beyond the farm's water supply is said of it, not refused. Throws invalid, with all that was found, where a sprinkler can't water as it says. */
export async function checkSet(
  body: Body,
  farm: ScheduleFarm,
  units: readonly FarmUnit[],
  supply: Limits,
): Promise<CheckedSet> {
  refuseUnknown(body, farm.groups);
  const turns = turnsOf(body, farm, units);
  const cycleMin = Math.max(body.settings.cycleLen, DAY_MINUTES);
  refuseBounds(turns, cycleMin);
  refuseTwice(turns);
  await breathe();
  const runs = turns.flatMap(runsOf);
  const planUnits = turns.map(planUnit);
  await breathe();
  const conflicts = findConflicts({ runs, cycleMin }, planUnits, body.limits ?? null);
  const errors = conflicts.filter(({ severity }) => severity === 'error').map(withSentence);
  if (errors[0]) throw new ApiFailure('invalid', errors[0].sentence, 'schedules', { findings: errors });
  await breathe();
  const settings = designedSettings(body, farm);
  await breathe();
  const fresh = planTemplate(farm, { ...body, settings });
  await breathe();
  const isByHand = !(
    fresh.ok &&
    fresh.plan.cycleMin === body.settings.cycleLen &&
    isSame(unsortedSchedulesOf(fresh.plan, farm), body.schedules)
  );
  await breathe();
  const byHand: Finding = { code: 'byHand', severity: 'note', figures: {} };
  const ofPlan = fresh.ok && !isByHand ? fresh.plan.findings : [...conflicts, byHand];
  const beyond = beyondSupply({ runs, cycleMin }, planUnits, supply);
  await breathe();
  const found = foundOnce(beyond, ofPlan);
  const figures = figuresOf(turns);
  await breathe();
  return {
    units: turns.map(({ unit, group, row }) => ({
      deviceId: unit.deviceId,
      groupUid: group.uid,
      groupName: group.name,
      scheduleGroup: row.scheduleGroup,
      entries: row.schedules.toSorted((one, other) => one.start - other.start),
    })),
    settings,
    isByHand,
    findings: found.slice(0, FINDINGS_KEPT).map(withSentence),
    figures,
  };
}

/** A day is what the plan needed, not what somebody chose; two days were chosen where a day would do. */
function designedSettings(body: Body, farm: ScheduleFarm): TemplateDesign['settings'] {
  const { duration, cycleLen } = body.settings;
  if (cycleLen < DAY_MINUTES) return body.settings;
  const byNeed = cycleLen > DAY_MINUTES ? planTemplate(farm, { ...body, settings: { duration } }) : null;
  return byNeed?.ok && byNeed.plan.cycleMin < cycleLen ? body.settings : { duration };
}

const withSentence = (finding: Finding): ScheduleFinding => ({ ...finding, sentence: findingText(finding) });

/** Throws invalid for a sprinkler or group that isn't the farm's. */
function turnsOf(body: Body, farm: ScheduleFarm, units: readonly FarmUnit[]): Turn[] {
  const unitOf = new Map(units.map((unit) => [unit.serialNumber.toLowerCase(), unit]));
  const chosen = new Set(body.groups.map(({ uid }) => uid));
  const groupOf = new Map(
    farm.groups.filter(({ uid }) => chosen.has(uid)).map((group) => [group.name.toLowerCase(), group]),
  );
  const strangers = body.schedules.filter(({ serialNumber }) => !unitOf.has(serialNumber.toLowerCase()));
  if (strangers.length > 0)
    throw invalid(
      `Not sprinklers of this farm: ${firstOf(strangers.map(({ serialNumber }) => serialNumber))}.`,
      'schedules',
    );
  return body.schedules.map((row) => {
    const unit = unitOf.get(row.serialNumber.toLowerCase());
    const group = groupOf.get(row.group.toLowerCase());
    if (!unit || !group || !isLineOf(row.scheduleGroup, row.group))
      throw invalid(
        `Sprinkler ${unit?.name ?? row.serialNumber} waters for ${row.scheduleGroup} of group ${row.group}, which is none of the chosen groups. Please compute again.`,
        'schedules',
      );
    return { unit, group, row };
  });
}

/** The group, or `group/2`. */
const isLineOf = (line: string, group: string) =>
  line.toLowerCase().startsWith(group.toLowerCase()) && /^(\/\d+)?$/.test(line.slice(group.length));

const firstOf = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

/** Throws invalid. */
function refuseBounds(turns: readonly Turn[], cycleMin: number): void {
  for (const { unit, row } of turns)
    for (const { start, cycle } of row.schedules) {
      const day = Math.floor(start / DAY_MINUTES) + 1;
      if (start >= cycleMin)
        throw invalid(
          `Sprinkler ${unit.name}: minute ${start} lies after the end of the cycle, which has ${cycleMin} min.`,
          'schedules',
        );
      if (day !== cycle)
        throw invalid(
          `Sprinkler ${unit.name}: minute ${start} lies on day ${day} of the cycle, not on day ${cycle}.`,
          'schedules',
        );
    }
}

/** Throws invalid. */
function refuseTwice(turns: readonly Turn[]): void {
  const seen = new Set<string>();
  for (const { unit, group } of turns) {
    const key = `${unit.deviceId} ${group.uid}`;
    if (seen.has(key)) throw invalid(`Sprinkler ${unit.name} is in group ${group.name} twice.`, 'schedules');
    seen.add(key);
  }
}

const runsOf = ({ unit, group, row }: Turn): Run[] =>
  row.schedules.map((entry) => ({
    unit: unit.uid,
    group: group.uid,
    scheduleGroup: row.scheduleGroup,
    ...entry,
  }));

const planUnit = ({ unit, group: { walConfig } }: Turn): PlanUnit => ({
  id: unit.uid,
  name: unit.name,
  serial: unit.serialNumber,
  lps: walConfig.sprinklerFlow,
  mmPerMin: millimetresPerMinute(walConfig),
});

type Schedules = readonly Pick<Body['schedules'][number], 'serialNumber' | 'scheduleGroup' | 'schedules'>[];

/** In whatever order. */
function isSame(one: Schedules, other: Schedules): boolean {
  const textsOf = (rows: Schedules) =>
    rows.map(({ serialNumber, scheduleGroup, schedules }) =>
      [
        serialNumber.toLowerCase(),
        scheduleGroup.toLowerCase(),
        ...schedules.map(({ start, duration }) => `${start}+${duration}`).toSorted(),
      ].join('\n'),
    );
  const texts = new Set(textsOf(one));
  return one.length === other.length && textsOf(other).every((text) => texts.has(text));
}

function figuresOf(turns: readonly Turn[]): SetFigures {
  const depths = new Map<number, number>();
  let [minutes, litres] = [0, 0];
  for (const { unit, group, row } of turns) {
    const own = row.schedules.reduce((sum, { duration }) => sum + duration, 0);
    minutes += own;
    litres += own * 60 * group.walConfig.sprinklerFlow;
    depths.set(unit.deviceId, (depths.get(unit.deviceId) ?? 0) + own * millimetresPerMinute(group.walConfig));
  }
  const all = [...depths.values()];
  return {
    units: all.length,
    minutes,
    litres,
    mm: {
      least: all.reduce((least, mm) => Math.min(least, mm), Number.POSITIVE_INFINITY),
      mean: all.reduce((sum, mm) => sum + mm, 0) / all.length,
      most: all.reduce((most, mm) => Math.max(most, mm), 0),
    },
  };
}
