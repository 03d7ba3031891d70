import type { PlanFinding } from '@headrace/contract/commands';
import { OPEN_BY_GATEWAY_MAX_MIN } from '@headrace/device/command-life';
import { gatewayCloses } from '@headrace/device/messages';
import { isValveOn } from '@headrace/device/lanes';
import { commandTypes } from '@headrace/device/commands';
import { invalid } from '../../http/errors.ts';
import type { Payload } from './payloads.ts';
import type { Intended } from './send-plan.ts';
import type { TargetGateway } from './targets.repo.ts';

/*
 * A sprinkler counts by itself how long its valve is open. Where it can't, its gateway does, and while that one has no power
 * nothing closes the valve: so it is opened for an hour at most.
 */

/** Throws a 400 where a person asks for longer. */
export function checkOpenMinutes({ maxOpenMinutes }: Payload, gateways: readonly TargetGateway[]): void {
  const one = gateways.find(({ closesValves }) => closesValves);
  if (!one || maxOpenMinutes === undefined || maxOpenMinutes <= OPEN_BY_GATEWAY_MAX_MIN) return;
  throw invalid(
    `payload: maxOpenMinutes must be <= ${OPEN_BY_GATEWAY_MAX_MIN} here: ${one.name} closes these valves itself, and can't while it has no power.`,
    'payload',
  );
}

/** As long as was meant, or as may be. */
export const openMinutesFor = (minutes: number, gateways: readonly TargetGateway[]): number =>
  gateways.some(({ closesValves }) => closesValves) ? Math.min(minutes, OPEN_BY_GATEWAY_MAX_MIN) : minutes;

/** What this gateway is told, whoever spoke for the unit when it was asked for: one that closes valves itself holds none open for longer. */
export const openMinutesAt = (supports: readonly string[], minutes: number | null): number | null =>
  minutes !== null && supports.includes(gatewayCloses) ? Math.min(minutes, OPEN_BY_GATEWAY_MAX_MIN) : minutes;

/** The same in SQL, of command `c` at gateway_state `g`. */
export const openMinutesText = `(case when g.supports ? '${gatewayCloses}'
  then least(coalesce(c.max_open_minutes, ${OPEN_BY_GATEWAY_MAX_MIN}), ${OPEN_BY_GATEWAY_MAX_MIN}) else coalesce(c.max_open_minutes, 60) end)`;

export function closesFindings({ name, found }: Intended): PlanFinding[] {
  const names = found.gateways.filter(({ closesValves }) => closesValves).map((gateway) => gateway.name);
  if (!isValveOn(commandTypes[name]) || names.length === 0) return [];
  const text = `${names.join(', ')} ${names.length === 1 ? 'closes' : 'close'} these valves, after ${OPEN_BY_GATEWAY_MAX_MIN} minutes at most: without power they stay open.`;
  return [{ kind: 'gatewayCloses', text, count: names.length, names: [] }];
}
