import { flowProfile, type FlowStep } from './flow-profile.ts';
import {
  DAY_MINUTES,
  type Finding,
  type Limits,
  type Main,
  MOST_ENTRIES,
  type Plan,
  type PlanUnit,
} from './plan.ts';
import type { Run } from './programme.ts';
import { runways } from './windows.ts';

/** What is wrong with a plan, or worth knowing, the worst first: also of one that was not computed here. */
export function findConflicts(
  { runs, cycleMin }: Pick<Plan, 'runs' | 'cycleMin'>,
  units: readonly PlanUnit[],
  limits: Limits | null,
): readonly Finding[] {
  const unitOf = new Map(units.map((unit) => [unit.id, unit]));
  const ofUnits = [...runsBy(runs, ({ unit }) => unit)].flatMap(([id, own]) =>
    ofUnit(unitOf.get(id), own, cycleMin),
  );
  const ofLines = [...runsBy(runs, lineOf)].flatMap(([, own]) => ofLine(own, cycleMin, unitOf));
  const lpsOf = (unit: string) => unitOf.get(unit)?.lps ?? 0;
  const ofSupply = limits ? beyondLimits(runs, cycleMin, lpsOf, limits) : [];
  return [...ofUnits, ...ofLines, ...ofSupply, ...runoff(runs, cycleMin, unitOf)].toSorted(
    (one, other) => rank[one.severity] - rank[other.severity],
  );
}

/** What a plan asks of a farm's water supply beyond what that gives: it may have been made with no limits, or with others. */
export const beyondSupply = (
  plan: Pick<Plan, 'runs' | 'cycleMin'>,
  units: readonly PlanUnit[],
  supply: Limits,
): readonly Finding[] => {
  const lpsOf = new Map(units.map(({ id, lps }) => [id, lps]));
  return beyondLimits(plan.runs, plan.cycleMin, (unit) => lpsOf.get(unit) ?? 0, supply);
};

const rank = { error: 0, warning: 1, note: 2 } as const;

function ofUnit(unit: PlanUnit | undefined, runs: readonly Run[], cycleMin: number): Finding[] {
  const name = unit?.name ?? runs[0]?.unit ?? '';
  const entries = runs.length * Math.max(1, Math.floor(DAY_MINUTES / cycleMin));
  const found: Finding[] =
    entries > MOST_ENTRIES
      ? [{ code: 'tooManyEntries', severity: 'error', unit: name, figures: { entries, most: MOST_ENTRIES } }]
      : [];
  if (runs.length < 2) return found;
  const sorted = runs.toSorted((one, other) => one.start - other.start);
  const clash = sorted.find((run, index) => overlaps(run, sorted[(index + 1) % sorted.length], cycleMin));
  if (clash) return [...found, clashOf(name, clash, sorted[(sorted.indexOf(clash) + 1) % sorted.length])];
  if (!unit || new Set(runs.map(({ group }) => group)).size < 2) return found;
  const mm = runs.reduce((sum, { duration }) => sum + duration * unit.mmPerMin, 0);
  return [...found, { code: 'twice', severity: 'note', unit: name, figures: { mm } }];
}

const lineOf = ({ group, scheduleGroup }: Run) => `${group} ${scheduleGroup}`;

/** Two sprinklers of a line at once; a plan that was computed here has none. */
function ofLine(runs: readonly Run[], cycleMin: number, unitOf: ReadonlyMap<string, PlanUnit>): Finding[] {
  const sorted = runs.toSorted((one, other) => one.start - other.start);
  const at = sorted.findIndex((run, index) => {
    const next = sorted[(index + 1) % sorted.length];
    return next?.unit !== run.unit && overlaps(run, next, cycleMin);
  });
  const [first, next] = [sorted[at], sorted[(at + 1) % sorted.length]];
  if (!first || !next) return [];
  const nameOf = ({ unit }: Run) => unitOf.get(unit)?.name ?? unit;
  return [
    {
      code: 'lineAtOnce',
      severity: 'error',
      group: first.scheduleGroup,
      unit: nameOf(first),
      otherUnit: nameOf(next),
      figures: { fromMin: next.start, toMin: first.start + first.duration },
    },
  ];
}

/** On the ring: the first goes on when the next begins. */
function overlaps({ start, duration }: Run, next: Run | undefined, cycleMin: number): boolean {
  if (!next) return false;
  const until = (next.start - start + cycleMin) % cycleMin;
  return until < duration;
}

const clashOf = (unit: string, first: Run, next: Run | undefined): Finding => ({
  code: 'twiceAtOnce',
  severity: 'error',
  group: first.scheduleGroup,
  ...(next && { otherGroup: next.scheduleGroup }),
  unit,
  figures: { fromMin: next?.start ?? first.start, toMin: first.start + first.duration },
});

type LpsOf = (unit: string) => number;

function beyondLimits(
  runs: readonly Run[],
  cycleMin: number,
  lpsOf: LpsOf,
  limits: Limits,
): readonly Finding[] {
  const { maxLps, mains = [] } = limits;
  const over = (some: readonly Run[], most: number, found: OverFlow): Finding[] =>
    overFlow(flowProfile(some, cycleMin, lpsOf), most, cycleMin, found);
  return [
    ...(maxLps === null ? [] : over(runs, maxLps, { code: 'overPump' })),
    ...mains.flatMap((main) => over(runsOn(main, runs), main.maxLps, { code: 'overMain', main: main.name })),
    ...noFlow(runs, lpsOf, limits),
    ...outsideWindow(runs, limits),
  ];
}

const runsOn = ({ groups }: Main, runs: readonly Run[]) => runs.filter(({ group }) => groups.includes(group));

type OverFlow = { readonly code: 'overPump' } | { readonly code: 'overMain'; readonly main: string };

/** The first time over what the pump or a main gives, with the most that it is over. */
function overFlow(steps: readonly FlowStep[], maxLps: number, cycleMin: number, found: OverFlow): Finding[] {
  const first = steps.findIndex(({ lps }) => lps > maxLps);
  if (first < 0) return [];
  const end = steps.findIndex(({ lps }, index) => index > first && lps <= maxLps);
  const lps = Math.max(...steps.map((step) => step.lps));
  const figures = {
    lps,
    maxLps,
    fromMin: steps[first]?.fromMin ?? 0,
    toMin: end < 0 ? cycleMin : (steps[end]?.fromMin ?? cycleMin),
  };
  return [{ ...found, severity: 'warning', figures }];
}

/** Lines that a limit of flow can't hold, as nobody has said what they draw. */
function noFlow(runs: readonly Run[], lpsOf: LpsOf, { maxLps, mains = [] }: Limits): Finding[] {
  const isHeld = ({ group }: Run) => maxLps !== null || mains.some(({ groups }) => groups.includes(group));
  const dry = runs.filter((run) => lpsOf(run.unit) === 0 && isHeld(run));
  return [...new Set(dry.map(({ scheduleGroup }) => scheduleGroup))].map((group) => ({
    code: 'noFlow',
    severity: 'warning',
    group,
    figures: {},
  }));
}

/** More at one go than heavy soil takes in, mm: what is above it runs off. */
const RUNOFF_MM = 15;

/** The line's sprinkler that gets most at one go. */
function runoff(runs: readonly Run[], cycleMin: number, unitOf: ReadonlyMap<string, PlanUnit>): Finding[] {
  const mmOf = ({ unit, duration }: Run) => (unitOf.get(unit)?.mmPerMin ?? 0) * duration;
  // By tenths, as they are told: 15.02 mm are no more than 15.
  const heavy = runs.filter((run) => Math.round(mmOf(run) * 10) > RUNOFF_MM * 10);
  return [...runsBy(heavy, ({ scheduleGroup }) => scheduleGroup)].map(([group, own]) => ({
    code: 'runoff',
    severity: 'note',
    group,
    figures: { mm: own.reduce((most, run) => Math.max(most, mmOf(run)), 0), mostMm: RUNOFF_MM, cycleMin },
  }));
}

/** The first run of each line that isn't inside. */
function outsideWindow(runs: readonly Run[], limits: Limits): Finding[] {
  const runway = runways(limits);
  const outside = runs.filter(({ start, duration }) => duration > (runway[start % DAY_MINUTES] ?? 0));
  return [...runsBy(outside, ({ scheduleGroup }) => scheduleGroup)].flatMap(([group, [first]]) =>
    first
      ? [{ code: 'outsideWindow', severity: 'warning', group, figures: spanOf(first) } satisfies Finding]
      : [],
  );
}

const spanOf = ({ start, duration }: Run) => ({ fromMin: start, toMin: start + duration });

function runsBy(runs: readonly Run[], keyOf: (run: Run) => string): ReadonlyMap<string, readonly Run[]> {
  const found = new Map<string, Run[]>();
  for (const run of runs) {
    const key = keyOf(run);
    const own = found.get(key);
    if (own) own.push(run);
    else found.set(key, [run]);
  }
  return found;
}
