import type { PlanFinding } from '@headrace/contract/commands';
import { OPEN_BY_GATEWAY_MAX_MIN } from '@headrace/device/command-life';
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

export function closesFindings({ name, found }: Intended): PlanFinding[] {
  const names = found.gateways.filter(({ closesValves }) => closesValves).map((gateway) => gateway.name);
  if (!isValveOn(commandTypes[name]) || names.length === 0) return [];
  const text = `${names.join(', ')} ${names.length === 1 ? 'closes' : 'close'} these valves, after ${OPEN_BY_GATEWAY_MAX_MIN} minutes at most: without power they stay open.`;
  return [{ kind: 'gatewayCloses', text, count: names.length, names: [] }];
}
