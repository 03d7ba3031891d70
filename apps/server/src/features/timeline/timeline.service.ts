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
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { ScheduleSets } from '../schedules/schedule-sets.ts';
import type { SupplyService } from '../schedules/supply.service.ts';
import type { TemplatesService } from '../schedules/templates.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import { asIfHeld } from './as-if-held.ts';
import { planReader } from './timeline-plan.ts';
import { previewOf } from './preview.ts';
import { mixedLines } from './mixed-line.ts';
import { createMainFlows } from './main-flows.ts';
import { type Shown, toClockSet, toUnit, type UnitTurns } from './present-timeline.ts';
import { createLines } from './timeline-lines.ts';
import type { TimelineRepo } from './timeline.repo.ts';
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

export function createTimelineService(repo: TimelineRepo, parts: TimelineParts) {
  async function factsOf(farm: FarmRow, { zone, from, to, now }: Shown): Promise<TimelineFacts> {
    const past = { from, to: Math.min(to, now + DAY) };
    const [units, runs, ended, openings, onTheirWay, holds, groups, isAway] = await Promise.all([
      parts.sprinklers.withRows(farm, new Date(now)),
      repo.runs(farm.id, past),
      repo.endedHeld(farm.id, { from: from - DAY, to: Math.min(to, now) }),
      repo.openings(farm.id, past),
      repo.onTheirWay(farm.id),
      repo.holds(farm.id),
      repo.groups(farm.id),
      repo.awayGateways(farm.id),
    ]);
    const groupWater = new Map(groups.flatMap(({ name, water }) => (water ? [[name, water] as const] : [])));
    const groupNames = new Map(groups.map(({ uid, name }) => [uid, name]));
    return { farm, zone, units, runs, ended, openings, onTheirWay, holds, isAway, groupWater, groupNames };
  }

  const planOf = planReader(repo, parts);

  return {
    /** Stores nothing. Throws invalid where it doesn't fit, notFound for a set or template that isn't there. */
    async preview(farm: FarmRow, body: BodyOf<typeof previewSchedule>, now: Date): Promise<SchedulePreview> {
      const zone = toZone(farm);
      const from = dayStart(zone, timeOf(body.from, 'from'));
      const shown: Shown = { zone, now: now.getTime(), from, to: from + body.days * DAY };
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
      const previewed = previewOf(units, change, { zone, windows, from, days: body.days, now: shown.now });
      if (!previewed.ok) throw invalid(misfitText(previewed), 'changes');
      return { farmUID: farm.uid, ...previewed.preview };
    },

    /** Throws invalid for a time that is too long or ends before it begins, notFound for a line, set or template that isn't there. */
    async timeline(farm: FarmRow, asked: Asked, now: Date): Promise<Timeline> {
      const shown: Shown = {
        zone: toZone(farm),
        now: now.getTime(),
        from: timeOf(asked.from, 'from'),
        to: timeOf(asked.to, 'to'),
      };
      checkSpan(shown);
      const [plan, facts, supply, holds, clockSet, meters] = await Promise.all([
        planOf(farm, asked),
        factsOf(farm, shown),
        parts.supply.of(farm),
        repo.holdTimes(farm.id, shown),
        repo.clockSet(farm, new Date(shown.now - CLOCK_SET_DAYS * DAY)),
        asked.group === undefined ? parts.flow.inSteps(farm, flowSteps(shown), now) : [],
      ]);
      const held = lineUnits(facts);
      const all = plan.units ? asIfHeld(held, plan.units, shown.now) : held;
      const steps = flowSteps(shown);
      const lines = createLines(shown, steps, {
        mains: createMainFlows(supply.mains, facts.groupNames, steps),
        mixed: mixedLines(all),
      });
      const units: UnitTurns[] = [];
      for (const unit of all) {
        if (asked.group !== undefined && unit.line !== asked.group) continue;
        const turns = { unit, turns: turnsOf(unit, shown) };
        lines.add(turns);
        if (asked.group !== undefined) units.push(turns);
      }
      if (asked.group !== undefined && units.length === 0) throw notFound('This farm has no such line.');
      const { of, name } = plan;
      const seams = seamsOf(shown);
      const clocks = seams.some(({ at }) => at <= shown.now) ? await repo.clocks(farm.id) : [];
      return {
        farmUID: farm.uid,
        from: shown.from,
        to: shown.to,
        now: shown.now,
        plan: { of, name },
        lines: lines.lines(holds),
        units: units.length === 0 ? [] : await unitsOf(farm, units, shown),
        seams: seams.map((seam) => ({
          ...seam,
          peakLps: peakAfter(seam, all, shown.zone),
          clocks: seam.at <= shown.now ? clocksSet(seam, clocks) : null,
        })),
        clockSet: toClockSet(clockSet),
        flow: {
          from: shown.from,
          stepMin: FLOW_STEP_MIN,
          ...lines.flow(),
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
