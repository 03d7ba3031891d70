import type { FarmView } from '../farm-view.ts';
import { FARM, type Observation, type RuleRow } from '../observation.ts';
import { classOf } from '../rule-life.ts';

const DAY_MS = 86_400_000;

/** Commands to many that ended, and did not reach all: each is told once. Those from before the alert are not. */
export async function observeFailedCommands(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const since = new Date(Math.max(view.now - DAY_MS, new Date(rule.on_since).getTime()));
  const commands = await view.failedCommands(rule.id, since);
  return commands.map(({ id, name, units, failed, ended_at }) => ({
    deviceId: FARM,
    part: id,
    facts: { name, fault: `it failed or ran out of time for ${failed} of ${units} sprinklers.` },
    seen: [{ side: 'in', at: ended_at.getTime(), value: failed, class: classOf(rule, 'important') }],
  }));
}
