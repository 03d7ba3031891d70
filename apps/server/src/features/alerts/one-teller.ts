import type { Observation, RuleRow } from './observation.ts';
import type { EpisodeRow } from './watch.repo.ts';

interface Seen {
  readonly rule: RuleRow;
  readonly observations: readonly Observation[];
}

/** Of a cause that several alerts would tell, though none of them watches it, one tells: the one that has begun to, else the first. */
export function oneTeller(seen: readonly Seen[], open: readonly EpisodeRow[]): Seen[] {
  const isOpen = new Set(open.map(({ rule_id, device_id }) => `${rule_id} ${device_id}`));
  const tellers = new Map<number, number>();
  for (const { rule, observations } of seen)
    for (const { deviceId, isCause } of observations) {
      const isTeller = isOpen.has(`${rule.id} ${deviceId}`);
      if (isCause && (isTeller || !tellers.has(deviceId))) tellers.set(deviceId, rule.id);
    }
  return seen.map(({ rule, observations }) => ({
    rule,
    observations: observations.filter(
      ({ deviceId, isCause }) =>
        !isCause || tellers.get(deviceId) === rule.id || isOpen.has(`${rule.id} ${deviceId}`),
    ),
  }));
}
