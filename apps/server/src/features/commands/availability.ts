import type { CommandName } from '@headrace/contract/command-types';
import { commandOf } from '@headrace/device/commands';
import type { TargetGateway } from './targets.repo.ts';

/** A gateway that has not said how often it reports is expected every quarter of an hour, s. */
const DEFAULT_STATUS_PERIOD_S = 900;

/** Connected, and heard of within twice the time that it reports in. */
export function isAvailable({ isOnline, contactAt, statusPeriod }: TargetGateway, now: Date): boolean {
  const silentMs = 2 * (statusPeriod ?? DEFAULT_STATUS_PERIOD_S) * 1000;
  return isOnline && contactAt !== null && now.getTime() - contactAt.getTime() <= silentMs;
}

/** It has acknowledged the newest list of sprinklers. */
export const hasList = ({ listRev, ackedRev }: TargetGateway) => listRev === ackedRev;

/** Why a command can't go to these gateways now; null: it can. Some of several that are away get it when they come back. */
export function obstacle(
  name: CommandName,
  gateways: readonly TargetGateway[],
  now: Date,
): 'gatewayUnavailable' | 'listNotLoaded' | null {
  const available = gateways.filter((gateway) => isAvailable(gateway, now));
  if (available.length === 0) return 'gatewayUnavailable';
  return !commandOf(name).needsList || available.every(hasList) ? null : 'listNotLoaded';
}
