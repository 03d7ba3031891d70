import type { TankInsight } from '@headrace/contract/insights';
import { tankState, tankUrgency } from '@headrace/contract/rules/tank-state';
import type { TankSummary } from '@headrace/contract/tanks';
import { byName } from './tank-view-model.ts';

/** What needs a person first, of those alike the emptier; else by name. `now` in epoch ms. */
export function worstFirst(
  tanks: readonly TankSummary[],
  found: ReadonlyMap<string, TankInsight>,
  now: number,
): TankSummary[] {
  const ranked = byName(tanks).map((tank) => ({
    tank,
    urgency: tankUrgency(tankState(tank, now, found.get(tank._id))),
    percent: tank.level.value ?? 100,
  }));
  return ranked.sort((a, b) => a.urgency - b.urgency || a.percent - b.percent).map(({ tank }) => tank);
}
