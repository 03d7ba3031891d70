import type { QueryOf } from '@headrace/contract/endpoint';
import { clockSeams } from '@headrace/contract/rules/schedule/clock-seams';
import { findingText } from '@headrace/contract/rules/schedule/finding-words';
import { plannedFlow } from '@headrace/contract/rules/schedule/planned-flow';
import { programmeOf } from '@headrace/contract/rules/schedule/programme';
import { planTemplate } from '@headrace/contract/rules/schedule/template-plan';
import { turnsOf } from '@headrace/contract/rules/schedule/turns';
import {
  FLOW_STEP_MIN,
  type scheduleTimeline,
  type Timeline,
  TIMELINE_DAYS,
} from '@headrace/contract/timeline';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { groupBy } from '../commands/group-by.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { ScheduleSet, ScheduleSets } from '../schedules/schedule-sets.ts';
import type { SupplyService } from '../schedules/supply.service.ts';
import type { TemplatesService } from '../schedules/templates.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import { asIfHeld, type PlannedUnit } from './as-if-held.ts';
import { isUnknown, type Shown, toLines, toUnit, type UnitTurns } from './present-timeline.ts';
import type { TimelineRepo } from './timeline.repo.ts';
import { type LineUnit, lineUnits, type TimelineFacts } from './turn-units.ts';

const DAY = 86_400_000;
const DAY_MINUTES = 1440;
const STEP_MS = FLOW_STEP_MIN * 60_000;

export interface TimelineParts {
  readonly sprinklers: Pick<SprinklerStatusService, 'withRows'>;
  readonly flow: Pick<FlowService, 'inSteps'>;
  readonly sets: ScheduleSets;
  readonly supply: Pick<SupplyService, 'of'>;
  readonly templates: Pick<TemplatesService, 'get' | 'details'>;
}

type Plan = Timeline['plan'] & { readonly units: ReadonlyMap<string, readonly PlannedUnit[]> | null };

export function createTimelineService(repo: TimelineRepo, parts: TimelineParts) {
  async function factsOf(farm: FarmRow, { from, to, now }: Shown): Promise<TimelineFacts> {
    const past = { from, to: Math.min(to, now + DAY) };
    const [units, runs, ended, openings, onTheirWay, groupWater] = await Promise.all([
      parts.sprinklers.withRows(farm, new Date(now)),
      repo.runs(farm.id, past),
      repo.endedHeld(farm.id, { from: from - DAY, to: Math.min(to, now) }),
      repo.openings(farm.id, past),
      repo.onTheirWay(farm.id),
      repo.groupWater(farm.id),
    ]);
    return { farm, units, runs, ended, openings, onTheirWay, groupWater };
  }

  async function setPlan(farm: FarmRow, uid: string): Promise<Plan> {
    const set = await parts.sets.byUid(farm.id, uid);
    if (!set) throw notFound('This farm has no such schedule set.');
    const rows = await repo.setUnits(farm.id, set.id);
    const uidOf = await repo.uidsOf(
      farm.id,
      rows.map(({ deviceId }) => deviceId),
    );
    const cycleDays = cycleDaysOf(set, rows);
    const planned = rows.map(({ deviceId, line, entries }) => ({
      uid: uidOf.get(deviceId) ?? '',
      line,
      programme: {
        entries: entries.map((entry) => ({ ...entry, start: entry.start % DAY_MINUTES })),
        cycleDays,
      },
    }));
    return { of: 'set', name: set.name, units: byUid(planned) };
  }

  /** Throws invalid where it can't be. */
  async function templatePlan(farm: FarmRow, uid: string): Promise<Plan> {
    const [template, details] = await Promise.all([
      parts.templates.get(farm, uid),
      parts.templates.details(farm),
    ]);
    const planned = planTemplate(details, template);
    if (!planned.ok) {
      const [worst] = planned.findings;
      throw invalid(worst ? findingText(worst) : 'This template can’t be planned.', 'templateUID');
    }
    const { cycleMin, runs } = planned.plan;
    const units = runs.map((run) => ({
      uid: run.unit,
      line: run.scheduleGroup,
      programme: programmeOf([run], cycleMin),
    }));
    return { of: 'template', name: template.name, units: byUid(units) };
  }

  async function planOf(farm: FarmRow, { setUID, templateUID }: Asked): Promise<Plan> {
    if (setUID !== undefined) return setPlan(farm, setUID.toLowerCase());
    if (templateUID !== undefined) return templatePlan(farm, templateUID);
    return { of: 'held', name: '', units: null };
  }

  return {
    /** Throws invalid for a time that is too long or ends before it begins, notFound for a line, set or template that isn't there. */
    async timeline(farm: FarmRow, asked: Asked, now: Date): Promise<Timeline> {
      const shown: Shown = {
        zone: toZone(farm),
        now: now.getTime(),
        from: Date.parse(asked.from),
        to: Date.parse(asked.to),
      };
      checkSpan(shown);
      const [plan, facts, supply, meters] = await Promise.all([
        planOf(farm, asked),
        factsOf(farm, shown),
        parts.supply.of(farm),
        asked.group === undefined ? parts.flow.inSteps(farm, flowSteps(shown), now) : [],
      ]);
      const held = lineUnits(facts);
      const all = plan.units ? asIfHeld(held, plan.units, shown.now) : held;
      const ofLine = asked.group === undefined ? all : all.filter(({ line }) => line === asked.group);
      if (asked.group !== undefined && ofLine.length === 0) throw notFound('This farm has no such line.');
      const turns = ofLine.map((unit): UnitTurns => ({ unit, turns: turnsOf(unit, shown) }));
      const { of, name } = plan;
      return {
        farmUID: farm.uid,
        from: shown.from,
        to: shown.to,
        now: shown.now,
        plan: { of, name },
        lines: toLines(turns, shown),
        units: asked.group === undefined ? [] : await unitsOf(farm, turns, shown),
        seams: clockSeams(shown.zone, shown.from, Math.max(shown.to, shown.now + 7 * DAY)),
        flow: {
          from: shown.from,
          stepMin: FLOW_STEP_MIN,
          planned: plannedFlow(drawn(turns), flowSteps(shown)),
          notIn: turns.filter(isUnknown).length,
          maxLps: supply.maxLps,
          meters,
        },
      };
    },
  };

  async function unitsOf(farm: FarmRow, turns: readonly UnitTurns[], shown: Shown) {
    const names = await repo.setNames(
      farm.id,
      turns.map(({ unit }) => unit.id),
    );
    return turns
      .map((one) => toUnit(one, names.get(one.unit.id), shown))
      .toSorted((one, other) => firstStart(one) - firstStart(other));
  }
}
export type TimelineService = ReturnType<typeof createTimelineService>;
type Asked = Omit<QueryOf<typeof scheduleTimeline>, 'farmUID'>;

interface PlannedRow extends PlannedUnit {
  readonly uid: string;
}
const byUid = (rows: readonly PlannedRow[]): Plan['units'] =>
  new Map(groupBy(rows, ({ uid }) => uid).map((ofUnit) => [ofUnit[0]?.uid ?? '', ofUnit]));

/** In the order in which they water. */
const firstStart = ({ turns }: Timeline['units'][number]) => turns[0]?.startAt ?? Number.POSITIVE_INFINITY;

const flowSteps = ({ from, to }: Shown) => ({
  from,
  stepMs: STEP_MS,
  steps: Math.ceil((to - from) / STEP_MS),
});

/** What was planned and can have been, or can be. */
function* drawn(all: readonly UnitTurns[]) {
  for (const { unit, turns } of all)
    for (const { sign, plan, planned } of turns)
      if (planned && sign !== 'wont' && plan === 'held')
        yield { startAt: planned.startAt, endAt: planned.endAt, lps: unit.lps };
}

function checkSpan({ from, to }: Shown): void {
  if (to <= from) throw invalid('Must be after from.', 'to');
  if (to - from > TIMELINE_DAYS * DAY)
    throw invalid(`Must be at most ${TIMELINE_DAYS} days after from.`, 'to');
}

const cycleDaysOf = (
  { cycleMinutes }: ScheduleSet,
  rows: readonly { readonly entries: LineUnit['held'][number]['entries'] }[],
): number =>
  cycleMinutes === null
    ? rows.flatMap(({ entries }) => entries ?? []).reduce((most, { cycle }) => Math.max(most, cycle), 1)
    : Math.max(1, Math.ceil(cycleMinutes / DAY_MINUTES));
