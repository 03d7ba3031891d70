import { sprinklerGateways } from '@headrace/contract/gateway-types';
import { CHARGE_THRESHOLD_PERCENT, CLOCK_THRESHOLD_S } from '@headrace/contract/rules/condition';
import type { GatewayLimits } from './unit-limits.repo.ts';

/** Below how many percent a unit's battery is low, and from how many seconds on its clock is wrong. */
export interface UnitLimits {
  readonly charge: number;
  readonly clock: number;
}
/** By the number of the gateway that a unit names; null: it names none. */
export type LimitsByGateway = (gatewayId: number | null) => UnitLimits;

/** The gateway that a unit names, else the farm's first for sprinklers. */
export function gatewayFinder<G extends Pick<GatewayLimits, 'id' | 'type'>>(gateways: readonly G[]) {
  const first = gateways.find(({ type }) => sprinklerGateways.includes(type)) ?? gateways[0];
  const byId = new Map(gateways.map((gateway) => [gateway.id, gateway]));
  return (gatewayId: number | null): G | undefined => byId.get(gatewayId ?? 0) ?? first;
}

/** What the gateway that speaks for a unit calls a low battery and a wrong clock. */
export function unitLimits(gateways: readonly GatewayLimits[]): LimitsByGateway {
  const gatewayOf = gatewayFinder(gateways);
  const limitsOf = (gateway: GatewayLimits | undefined): UnitLimits => ({
    charge: gateway?.charge_threshold ?? CHARGE_THRESHOLD_PERCENT,
    clock: gateway?.clock_threshold ?? CLOCK_THRESHOLD_S,
  });
  const limits = new Map(gateways.map((gateway) => [gateway, limitsOf(gateway)]));
  const none = limitsOf(undefined);
  return (gatewayId) => {
    const gateway = gatewayOf(gatewayId);
    return (gateway && limits.get(gateway)) ?? none;
  };
}
