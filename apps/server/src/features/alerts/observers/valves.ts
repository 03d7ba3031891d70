import { graceMs } from '@headrace/contract/rules/valve-belief';
import type { Side } from '@headrace/contract/rules/alerts/alert-life';
import type { IpcStatus } from '@headrace/contract/groups';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import { isNotifiedElsewhere } from '../notified-elsewhere.ts';
import { isNotifiedWithGateway } from '../valves-behind.ts';

/** Valves that should have closed and did not say so, those that nothing asked to open, and what became of those that were told. */
export async function observeValves(
  view: FarmView,
  rule: RuleRow,
  told: ReadonlySet<number>,
): Promise<Observation[]> {
  const open = await view.openValves();
  if (open.size === 0 && told.size === 0) return [];
  const [units, { byId }] = await Promise.all([view.units(), view.parents()]);
  const isBehind = (gatewayId: number | null, status: IpcStatus) => {
    const gateway = gatewayId === null ? undefined : byId.get(gatewayId);
    return (
      gateway !== undefined &&
      isNotifiedWithGateway(status, gateway, view.now) &&
      isNotifiedElsewhere(gateway, view)
    );
  };
  return units.flatMap(({ row, status }) => {
    if (!open.has(row.id) && !told.has(row.id)) return [];
    if (!watchesDevice(rule, row.id)) return [];
    const { belief } = status;
    const until = belief?.state === 'openOverdue' ? belief.until : null;
    const seen = {
      side: isBehind(row.gateway_id, status) ? ('unknown' as const) : sideOfValve(status, view.now),
      at: until ?? (belief ? belief.since : status.valveAt) ?? view.now,
      value: null,
      class: classOf(rule, 'urgent'),
    };
    return [{ deviceId: row.id, part: 0, facts: { name: row.name, until }, seen: [seen] }];
  });
}

/** It is over when it said that it closed, or is known to have: not when its next run begins while nobody has heard of that. */
function sideOfValve({ belief, clock }: IpcStatus, now: number): Side {
  if (belief === null || belief.state === 'closed') return 'out';
  if (belief.state === 'openOverdue') return 'in';
  if (belief.state === 'open' && belief.cause === 'none')
    return now - (belief.since ?? now) > graceMs(clock) ? 'in' : 'between';
  return belief.state === 'unknown' ? 'unknown' : 'between';
}
