import { graceMs } from '../valve-belief.ts';
import { SILENT_MS } from './fate.ts';
import { AHEAD_MS, type Turn, type TurnUnit } from './turns.ts';

/**
 * Until when (epoch ms) `turnsOf` gives these turns of the same unit and the same time as at `now`: a watering begins, is over, or the
 * unit was silent for too long. At once while a valve is known to have opened and not to have closed: each moment makes it longer.
 */
export function turnsSteadyUntil({ facts, runs }: TurnUnit, turns: readonly Turn[], now: number): number {
  if (runs.some(({ closedAt }) => closedAt === null)) return now;
  let until = Number.POSITIVE_INFINITY;
  const look = (at: number) => {
    if (at > now && at < until) until = at;
  };
  if (facts.heardAt !== null) look(facts.heardAt + SILENT_MS + 1);
  const shift = facts.clockS === null ? 0 : facts.clockS * -1000;
  // A ms more where the rule asks for more and not for as much.
  const grace = graceMs(facts.clockS) + 1;
  for (const { planned } of turns) {
    if (planned === null || planned.endAt + grace <= now) continue;
    const { startAt, endAt } = planned;
    for (const at of [
      startAt - AHEAD_MS,
      startAt,
      startAt + 1,
      startAt + shift,
      endAt + shift,
      endAt + grace,
    ])
      look(at);
  }
  return until;
}
