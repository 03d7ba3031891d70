import { graceMs } from '@headrace/contract/rules/valve-belief';
import type { Side } from '@headrace/contract/rules/alerts/alert-life';
import type { IpcStatus } from '@headrace/contract/groups';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** Valves that should have closed and did not say so, and those that nothing asked to open. */
export async function observeValves(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const open = await view.openValves();
  if (open.size === 0) return [];
  const units = await view.units();
  return units.flatMap(({ row, status }) => {
    if (!open.has(row.id) || !watchesDevice(rule, row.id)) return [];
    const { belief } = status;
    const until = belief?.state === 'openOverdue' ? belief.until : null;
    const seen = {
      side: sideOfValve(status, view.now),
      at: until ?? belief?.since ?? view.now,
      value: null,
      class: classOf(rule, 'urgent'),
    };
    return [{ deviceId: row.id, part: 0, facts: { name: row.name, until }, seen: [seen] }];
  });
}

function sideOfValve({ belief, clock }: IpcStatus, now: number): Side {
  if (belief === null || belief.state === 'closed') return 'out';
  if (belief.state === 'openOverdue') return 'in';
  if (belief.state === 'open' && belief.cause === 'none')
    return now - (belief.since ?? now) > graceMs(clock) ? 'in' : 'between';
  return belief.state === 'unknown' ? 'unknown' : 'out';
}
