import type { BodyOf, QueryOf } from '@headrace/contract/endpoint';
import type { previewSchedule, SchedulePreview } from '@headrace/contract/preview';
import { dayStart } from '@headrace/contract/rules/farm-time';
import { type ClockSeam, clockSeams } from '@headrace/contract/rules/schedule/clock-seams';
import { clocksSet } from '@headrace/contract/rules/schedule/clocks-set';
import { turnsOf } from '@headrace/contract/rules/schedule/turns';
import {
  FLOW_STEP_MIN,
  type scheduleTimeline,
  type Timeline,
  TIMELINE_DAYS,
} from '@headrace/contract/timeline';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { toZone, wateringClock } from '../farm-clock/farm-zone.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { ScheduleSets } from '../schedules/schedule-sets.ts';
import type { SupplyService } from '../schedules/supply.service.ts';
import type { TemplatesService } from '../schedules/templates.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import { asIfHeld } from './as-if-held.ts';
import { type Plan, planReader } from './timeline-plan.ts';
import { previewOf } from './preview.ts';
import type { KeptViews } from './kept-views.ts';
import { type Shown, toClockSet, toUnit, type UnitTurns } from './present-timeline.ts';
import { type Around, drawLines, flowOf, withHolds } from './timeline-lines.ts';
import type { TimelineRepo } from './timeline.repo.ts';
import { type AheadUnit, aheadOf } from './ahead.ts';
import { peakAfter } from './seam-flow.ts';
import { lineUnits, type TimelineFacts } from './turn-units.ts';

const DAY = 86_400_000;
/** A change of the farm's clock that is older is known. */
const CLOCK_SET_DAYS = 30;
const STEP_MS = FLOW_STEP_MIN * 60_000;

export interface TimelineParts {
  readonly sprinklers: Pick<SprinklerStatusService, 'withRows'>;
  readonly flow: Pick<FlowService, 'inSteps'>;
  readonly sets: ScheduleSets;
  readonly supply: Pick<SupplyService, 'of'>;
  readonly templates: Pick<TemplatesService, 'get' | 'details'>;
}

export function createTimelineService(repo: TimelineRepo, views: KeptViews, parts: TimelineParts) {
  async function factsOf(farm: FarmRow, shown: Shown): Promise<TimelineFacts> {
    const { clock, now } = shown;
    const [units, past, onTheirWay, holds, groups, isAway] = await Promise.all([
      parts.sprinklers.withRows(farm, new Date(now)),
      views.past(farm.id, shown),
      repo.onTheirWay(farm.id),
      repo.holds(farm.id),
      repo.groups(farm.id),
      repo.awayGateways(farm.id),
    ]);
    const groupWater = new Map(groups.flatMap(({ name, water }) => (water ? [[name, water] as const] : [])));
    const groupNames = new Map(groups.map(({ uid, name }) => [uid, name]));
    return { farm, clock, units, ...past, onTheirWay, holds, isAway, groupWater, groupNames };
  }

  const planOf = planReader(repo, parts);

  return {
    /** Stores nothing. Throws invalid where it doesn't fit, notFound for a set or template that isn't there. */
    async preview(farm: FarmRow, body: BodyOf<typeof previewSchedule>, now: Date): Promise<SchedulePreview> {
      const zone = toZone(farm);
      const from = dayStart(zone, timeOf(body.from, 'from'));
      const shown: Shown = {
        zone,
        clock: wateringClock(farm),
        now: now.getTime(),
        from,
        to: from + body.days * DAY,
      };
      const [plan, facts, { windows }] = await Promise.all([
        planOf(farm, body),
        factsOf(farm, shown),
        parts.supply.of(farm),
      ]);
      const held = lineUnits(facts);
      const units = plan.units ? asIfHeld(held, plan.units, shown.now) : held;
      const { durationBy = 0, startBy = 0, linesAtOnce = null, skipToday = false, hold } = body.changes;
      const change = {
        durationBy,
        startBy,
        linesAtOnce,
        skipToday,
        hold: hold ? { line: hold.line, until: timeOf(hold.until, 'changes') } : null,
      };
      const previewed = previewOf(units, change, {
        zone: shown.clock,
        windows,
        from,
        days: body.days,
        now: shown.now,
      });
      if (!previewed.ok) throw invalid(misfitText(previewed), 'changes');
      return { farmUID: farm.uid, ...previewed.preview };
    },

    /** What sprinklers are to begin watering after `now` and before `until`, at most two days later, as the timeline shows it. */
    async ahead(farm: FarmRow, until: Date, now: Date): Promise<AheadUnit[]> {
      const zone = toZone(farm);
      const from = dayStart(zone, now.getTime());
      // Whole days, so that what is kept of them serves whoever asks today.
      const shown: Shown = { zone, clock: wateringClock(farm), now: now.getTime(), from, to: from + 3 * DAY };
      const { units } = views.turns(await factsOf(farm, shown), shown);
      return units.map(({ unit, turns }) => aheadOf(unit, turns, shown.now, until.getTime()));
    },

    /** Throws invalid for a time that is too long or ends before it begins, notFound for a line, set or template that isn't there. */
    async timeline(farm: FarmRow, asked: Asked, now: Date): Promise<Timeline> {
      const shown: Shown = {
        zone: toZone(farm),
        clock: wateringClock(farm),
        now: now.getTime(),
        from: timeOf(asked.from, 'from'),
        to: timeOf(asked.to, 'to'),
      };
      checkSpan(shown);
      const lines = linesAsked(asked);
      const [plan, facts, supply, holds, clockSet, meters] = await Promise.all([
        planOf(farm, asked),
        factsOf(farm, shown),
        parts.supply.of(farm),
        repo.holdTimes(farm.id, shown),
        repo.clockSet(farm, new Date(shown.now - CLOCK_SET_DAYS * DAY)),
        lines === null ? parts.flow.inSteps(farm, flowSteps(shown), now) : [],
      ]);
      const steps = flowSteps(shown);
      const { units, draw } = turnsBy(views, plan.units, facts, shown);
      const isAsked = ({ unit }: UnitTurns) => lines === null || lines.has(unit.line);
      const around: Around = { shown, steps, mains: supply.mains, groupNames: facts.groupNames };
      const drawings = draw(around).filter(({ line }) => lines === null || lines.has(line.id));
      if (lines !== null && drawings.length === 0) throw notFound('This farm has no such line.');
      const all = units.map(({ unit }) => unit);
      const { of, name } = plan;
      const seams = seamsOf(shown);
      const clocks = seams.some(({ at }) => at <= shown.now) ? await repo.clocks(farm.id) : [];
      return {
        farmUID: farm.uid,
        from: shown.from,
        to: shown.to,
        now: shown.now,
        plan: { of, name },
        lines: withHolds(drawings, holds),
        units: lines === null ? [] : await unitsOf(repo, farm, units.filter(isAsked), shown),
        seams: seams.map((seam) => ({
          ...seam,
          peakLps: peakAfter(seam, all, shown.clock),
          clocks: seam.at <= shown.now ? clocksSet(seam, clocks) : null,
        })),
        clockSet: toClockSet(clockSet),
        flow: {
          from: shown.from,
          stepMin: FLOW_STEP_MIN,
          ...flowOf(drawings, around),
          maxLps: supply.maxLps,
          meters,
        },
      };
    },
  };
}
export type TimelineService = ReturnType<typeof createTimelineService>;
type Asked = Omit<QueryOf<typeof scheduleTimeline>, 'farmUID'>;

const misfitText = ({
  why,
  needMin,
}: {
  readonly why: 'tooShort' | 'tooLong';
  readonly needMin: number;
}): string =>
  why === 'tooShort'
    ? 'A watering would last less than a minute.'
    : `It would take ${needMin} min, more than the cycle has.`;

/** By what sprinklers hold, which is kept; or as if all held a plan. */
function turnsBy(views: KeptViews, plan: Plan['units'], facts: TimelineFacts, shown: Shown) {
  if (plan === null) return views.turns(facts, shown);
  const units = asIfHeld(lineUnits(facts), plan, shown.now).map((unit) => ({
    unit,
    turns: turnsOf(unit, { ...shown, zone: shown.clock }),
  }));
  return { units, draw: (around: Around) => drawLines(units, around) };
}

async function unitsOf(
  repo: Pick<TimelineRepo, 'setNames'>,
  farm: FarmRow,
  turns: readonly UnitTurns[],
  shown: Shown,
) {
  const names = await repo.setNames(
    farm.id,
    turns.map(({ unit }) => unit.id),
  );
  return turns
    .map((one) => toUnit(one, names.get(one.unit.id), shown))
    .toSorted((one, other) => firstStart(one) - firstStart(other));
}

/** Null: all. */
const linesAsked = ({ group }: Asked): ReadonlySet<string> | null =>
  group === undefined ? null : new Set(typeof group === 'string' ? [group] : group);

/** In the order in which they water. */
const firstStart = ({ turns }: Timeline['units'][number]) => turns[0]?.startAt ?? Number.POSITIVE_INFINITY;

const flowSteps = ({ from, to }: Shown) => ({
  from,
  stepMs: STEP_MS,
  steps: Math.ceil((to - from) / STEP_MS),
});

/** Those of the time that is shown, and of the week before and after now: never of what lies between. */
function seamsOf({ zone, from, to, now }: Shown): ClockSeam[] {
  const around = { from: now - 7 * DAY, to: now + 7 * DAY };
  return [
    ...clockSeams(zone, around.from, Math.min(around.to, Math.max(around.from, from))),
    ...clockSeams(zone, from, to),
    ...clockSeams(zone, Math.max(to, around.from), around.to),
  ].toSorted((one, other) => one.at - other.at);
}

/** Epoch ms. Throws invalid for what a schema takes for a time and no clock shows, such as a leap second. */
function timeOf(text: string, field: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw invalid('Must be a time, such as 2026-11-25T05:00:00Z.', field);
  return at;
}

function checkSpan({ from, to }: Shown): void {
  if (to <= from) throw invalid('Must be after from.', 'to');
  if (to - from > TIMELINE_DAYS * DAY)
    throw invalid(`Must be at most ${TIMELINE_DAYS} days after from.`, 'to');
}
