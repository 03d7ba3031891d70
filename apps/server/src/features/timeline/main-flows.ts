import { createFlow } from '@headrace/contract/rules/schedule/planned-flow';
import type { WaterMain } from '@headrace/contract/schedule-templates';
import type { LineUnit } from './turn-units.ts';

/** Gathers what is planned to flow through each of a farm's mains, in their order, L/s. `groupNames` by their uids. */
export function createMainFlows(
  mains: readonly WaterMain[],
  groupNames: ReadonlyMap<string, string>,
  steps: Parameters<typeof createFlow>[0],
) {
  const flows = mains.map(({ groups }) => ({
    groups: new Set(groups.flatMap((uid) => groupNames.get(uid) ?? [])),
    flow: createFlow(steps),
  }));
  const known = new Map<string, typeof flows>();

  /** Those that a sprinkler hangs on, by its groups. */
  function mainsOf({ groups }: Pick<LineUnit, 'groups'>): typeof flows {
    const key = groups.join('\n');
    let found = known.get(key);
    if (!found) {
      found = flows.filter((main) => groups.some((name) => main.groups.has(name)));
      known.set(key, found);
    }
    return found;
  }

  return {
    add(unit: Pick<LineUnit, 'groups' | 'lps'>, watering: { startAt: number; endAt: number }): void {
      if (flows.length === 0) return;
      for (const { flow } of mainsOf(unit)) flow.add(watering, unit.lps);
    },
    amounts: () => flows.map(({ flow }) => flow.amounts()),
  };
}
