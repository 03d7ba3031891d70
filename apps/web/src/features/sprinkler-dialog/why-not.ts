import { type CommandName, needsList } from '@headrace/contract/command-types';
import type { PlanFinding } from '@headrace/contract/commands';
import type { MapUnit } from '@headrace/contract/map-units';
import { isTakenAsOpen } from '@headrace/contract/rules/valve-belief';
import { refusals } from '../commands/refusals.ts';

type Unit = Pick<MapUnit, 'name' | 'serial' | 'mac' | 'outOfService' | 'belief'>;

export interface Circumstances {
  may: boolean;
  /** Nothing reaches our own server now. */
  isAway: boolean;
  /** Without one nothing can be sent, nor need anybody be asked. */
  hasGateway: boolean;
  /** What is known of the gateways that hear the unit. */
  findings: readonly Pick<PlanFinding, 'kind' | 'names'>[];
}

/** Why a command can't be sent to a unit now, in one sentence; null: it can. */
export function whyNot(
  command: CommandName,
  unit: Unit,
  { may, isAway, hasGateway, findings }: Circumstances,
): string | null {
  if (!may) return refusals.noRight;
  // A valve that may be open can be closed whatever the unit is recorded as.
  const isNeeded = command === 'ValveOff' && unit.belief !== null && isTakenAsOpen(unit.belief);
  if (unit.outOfService && !isNeeded) return `${unit.name} is out of service.`;
  if (isAway) return refusals.noConnection;
  if (!hasGateway) return refusals.noGateway;
  const away = findings.find(({ kind }) => kind === 'gatewayAway');
  if (away) return `Its gateway${away.names[0] ? ` ${away.names[0]}` : ''} is offline.`;
  if (needsList(command) && findings.some(({ kind }) => kind === 'listNotLoaded'))
    return refusals.listNotLoaded;
  return null;
}
