import { compareNatural } from '../natural-order.ts';
import { findConflicts } from './find-conflicts.ts';
import { linesOf, windyOrder } from './lines.ts';
import type { Finding, Line, PlanGroup, Planned, PlanOptions } from './plan.ts';
import { placeSideBySide } from './place-side-by-side.ts';
import { placeWithinLimits } from './place-within-limits.ts';

/**
 * When each sprinkler of these groups waters. The same groups in whatever order give the same plan. Not possible: it doesn't fit into the
 * longest cycle or the limits, nobody is to water, or a sprinkler is to water by two groups at once; the findings say which.
 */
export function computePlan(groups: readonly PlanGroup[], options: PlanOptions): Planned {
  const sorted = groups.toSorted(
    (one, other) => compareNatural(one.name, other.name) || compareNatural(one.uid, other.uid),
  );
  const lines = sorted
    .flatMap((group) => linesOf(group, options.durationMin))
    .map((line) => inOrder(line, options));
  if (lines.length === 0)
    return { ok: false, findings: [{ code: 'noUnits', severity: 'error', figures: {} }] };
  const { limits } = options;
  const placed = limits ? placeWithinLimits(lines, { ...options, limits }) : placeSideBySide(lines, options);
  const notes = [...sorted.flatMap(emptyGroup), ...(options.windy ? lines.flatMap(windyFew) : [])];
  if (!placed.ok) return { ok: false, findings: [...placed.findings, ...notes] };
  const units = lines.flatMap((line) => line.units);
  const conflicts = findConflicts(placed.plan, units, limits);
  const findings = [...conflicts, ...placed.plan.findings, ...notes].toSorted(worstFirst);
  if (findings.some(({ severity }) => severity === 'error')) return { ok: false, findings };
  return { ok: true, plan: { ...placed.plan, findings } };
}

const inOrder = (line: Line, { windy }: PlanOptions): Line =>
  windy ? { ...line, units: windyOrder(line.units) } : line;

const severities = ['error', 'warning', 'note'] as const;
const worstFirst = (one: Finding, other: Finding) =>
  severities.indexOf(one.severity) - severities.indexOf(other.severity);

function emptyGroup({ name, units }: PlanGroup): Finding[] {
  return units.length === 0 ? [{ code: 'emptyGroup', severity: 'note', group: name, figures: {} }] : [];
}

/** Two or three sprinklers can't all be kept from their neighbours. */
function windyFew({ scheduleGroup, units }: Line): Finding[] {
  const isFew = units.length === 2 || units.length === 3;
  return isFew
    ? [{ code: 'windyFew', severity: 'note', group: scheduleGroup, figures: { units: units.length } }]
    : [];
}
