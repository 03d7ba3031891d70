import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { type FlowStep, flowProfile } from '@headrace/contract/rules/schedule/flow-profile';
import { foundOnce } from '@headrace/contract/rules/schedule/finding-labels';
import { linesOf } from '@headrace/contract/rules/schedule/lines';
import { beyondSupply } from '@headrace/contract/rules/schedule/find-conflicts';
import { DAY_MINUTES, type Finding, type Limits, type Plan } from '@headrace/contract/rules/schedule/plan';
import { lowerBounds } from '@headrace/contract/rules/schedule/place-within-limits';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import { groupsOf, planTemplate, schedulesOf } from '@headrace/contract/rules/schedule/template-plan';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';
import type { SetUnit } from '@headrace/contract/schedules';

/** A group of the template that the farm may not have any more. */
export interface NamedGroup {
  readonly uid: string;
  readonly name: string;
}

/** What designs are planned for. */
export interface PlanBasis {
  readonly farm: ScheduleFarm;
  /** Groups of the template that are no longer on the farm. */
  readonly gone: readonly NamedGroup[];
  /** What the farm's water supply allows; null: nobody has said. */
  readonly supply: Limits | null;
}

/** What becomes of a design: what was found, and where it is possible when each sprinkler waters. */
export interface PlanResult {
  readonly design: PlanDesign;
  readonly findings: readonly Finding[];
  readonly made: MadePlan | null;
}

export interface MadePlan {
  /** min */
  readonly cycleLen: number;
  readonly units: readonly SetUnit[];
  readonly flow: readonly FlowStep[];
  readonly figures: PlanFigures;
}

export interface PlanFigures {
  readonly sprinklers: number;
  readonly lines: number;
  readonly peakLps: number;
  /** Of one cycle. */
  readonly litres: number;
  /** From the first watering to the end of the last, min. */
  readonly takesMin: number;
  /** No plan within these limits takes less, min; null: without limits. */
  readonly leastMin: number | null;
  /** HH:mm, and the day of the cycle from 1. */
  readonly endsAt: string;
  readonly endsOnDay: number;
}

/** By the same functions as the server. With a group that is gone there is no plan. */
export function resultOf({ farm, gone, supply }: PlanBasis, design: PlanDesign): PlanResult {
  const planned = planTemplate(farm, design);
  const missing = goneGroups(design, gone);
  const found = planned.ok ? planned.plan.findings : planned.findings;
  const units = groupsOf(farm, design).flatMap((group) => group.units);
  const beyond = planned.ok && supply ? beyondSupply(planned.plan, units, supply) : [];
  const findings = [...missing, ...foundOnce(beyond, found)];
  if (!planned.ok || missing.length > 0) return { design, findings, made: null };
  return { design, findings, made: madeOf(planned.plan, farm, design) };
}

function goneGroups(design: PlanDesign, gone: readonly NamedGroup[]): Finding[] {
  const chosen = new Set(design.groups.map(({ uid }) => uid));
  return gone
    .filter(({ uid }) => chosen.has(uid))
    .map(({ name }) => ({ code: 'goneGroup', severity: 'error', group: name, figures: {} }));
}

function madeOf(plan: Plan, farm: ScheduleFarm, design: PlanDesign): MadePlan {
  const lpsOf = new Map(farm.groups.map(({ uid, walConfig }) => [uid, walConfig.sprinklerFlow]));
  // By group, not by sprinkler: one of two groups may be reckoned with two flows.
  const drawn = plan.runs.map(({ group, start, duration }) => ({ unit: group, start, duration }));
  const flow = flowProfile(drawn, plan.cycleMin, (group) => lpsOf.get(group) ?? 0);
  const units = schedulesOf(plan, farm);
  return { cycleLen: plan.cycleMin, units, flow, figures: figuresOf(plan, farm, design, flow) };
}

function figuresOf(
  { runs, cycleMin }: Plan,
  farm: ScheduleFarm,
  design: PlanDesign,
  flow: readonly FlowStep[],
): PlanFigures {
  const { startMin = 0, limits } = design;
  // On the ring from the start: what begins before it is of the next round.
  const ends = runs.map(({ start, duration }) => ((start - startMin + cycleMin) % cycleMin) + duration);
  const takesMin = ends.reduce((most, end) => Math.max(most, end), 0);
  const endMin = (startMin % cycleMin) + takesMin;
  return {
    sprinklers: new Set(runs.map(({ unit }) => unit)).size,
    lines: new Set(runs.map(({ scheduleGroup }) => scheduleGroup)).size,
    peakLps: flow.reduce((most, { lps }) => Math.max(most, lps), 0),
    litres: litresOf(flow, cycleMin),
    takesMin,
    leastMin: limits ? leastOf(farm, design) : null,
    endsAt: clockText(endMin),
    endsOnDay: 1 + Math.floor((endMin - 1) / DAY_MINUTES),
  };
}

const litresOf = (flow: readonly FlowStep[], cycleMin: number) =>
  flow.reduce(
    (sum, { fromMin, lps }, index) => sum + lps * 60 * ((flow[index + 1]?.fromMin ?? cycleMin) - fromMin),
    0,
  );

function leastOf(farm: ScheduleFarm, design: PlanDesign): number {
  const lines = groupsOf(farm, design).flatMap((group) => linesOf(group, design.settings.duration));
  const { lineMin, flowMin } = lowerBounds(lines, design.limits ?? { maxLps: null });
  return Math.ceil(Math.max(lineMin, flowMin));
}
