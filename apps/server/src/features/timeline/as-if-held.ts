import type { Programme } from '@headrace/contract/rules/schedule/programme';
import type { LineUnit } from './turn-units.ts';

/** What one unit would water by in one line. */
export interface PlannedUnit {
  readonly line: string;
  readonly programme: Pick<Programme, 'entries' | 'cycleDays'>;
}

/** The farm as if every sprinkler held what a plan has for it from now on; who has no part in the plan is left out. */
export function asIfHeld(
  units: readonly LineUnit[],
  plan: ReadonlyMap<string, readonly PlannedUnit[]>,
  now: number,
): LineUnit[] {
  return units.flatMap((unit) =>
    (plan.get(unit.status.id) ?? []).map(({ line, programme }) => ({
      ...unit,
      line,
      isInSet: true,
      heldState: 'wanted' as const,
      facts: {
        ...unit.facts,
        held: { entries: programme.entries },
        isOnItsWay: false,
        isInhibited: isStopped(unit),
      },
      held: [{ from: now, until: null, ...programme, stoppedAt: null }],
      wanted: null,
      runs: [],
      openings: [],
    })),
  );
}

/** Who was to water nothing and says so is not stopped, but has nothing yet: it would take the plan. */
const isStopped = ({ facts, isInSet, status }: LineUnit): boolean =>
  facts.isInhibited && (isInSet || status.stopWanted !== undefined);
