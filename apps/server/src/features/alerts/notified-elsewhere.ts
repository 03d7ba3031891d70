import { usualSilenceMin } from './contact.ts';
import type { FarmView } from './farm-view.ts';
import { type RuleRow, watchesDevice } from './observation.ts';
import type { ParentNow } from './parents.ts';

const MINUTE_MS = 60_000;
/** An alert that tells of it within so long is waited for, ms. */
const SOON_MS = 60 * MINUTE_MS;

/** Whether an alert, other than this one, tells that a parent is away, or does soon. Nobody watches a network server, or what is in a store. */
export function isNotifiedElsewhere(parent: ParentNow, view: FarmView, than?: RuleRow): boolean {
  const { id, kind, awaySince } = parent;
  if (kind === 'network server' || !parent.isInService) return false;
  return view.silenceRules.some((rule) => {
    const isWatched = watchesDevice(rule, id) && (rule.watch === null || rule.watch === kind);
    if (rule.id === than?.id || !isWatched) return false;
    const limitMs = (rule.value ?? usualSilenceMin({ kind, interval_min: null })) * MINUTE_MS;
    return limitMs <= SOON_MS || view.now - (awaySince ?? view.now) > limitMs;
  });
}
