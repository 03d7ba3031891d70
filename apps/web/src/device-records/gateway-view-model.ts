import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { gatewayCondition, type GatewayCondition } from '@headrace/contract/rules/contact';
import type { Condition } from '../ui/tokens.ts';
import type { Standing } from './device-record.ts';

/** Gray never contacted, red out of contact for more than a day, green otherwise. */
export const gatewayColour: Record<GatewayCondition, Condition> = {
  never: 'inhibited',
  outOfContact: 'issue',
  ok: 'ok',
};
export const gatewayLabels: Record<GatewayCondition, string> = {
  never: 'Never contacted',
  outOfContact: 'Out of contact',
  ok: 'In contact',
};

/** When it was last heard, epoch ms; 0: never. */
export const heardAt = ({ statusTime }: Pick<Gateway, 'statusTime'>): number =>
  statusTime ? Date.parse(statusTime) : 0;

/** How a gateway is, by when it was heard. */
export function gatewayStanding(gateway: Pick<Gateway, 'statusTime'>, now: number): Standing {
  const condition = gatewayCondition(heardAt(gateway) || null, now);
  return { condition: gatewayColour[condition], label: gatewayLabels[condition] };
}

export const gatewayTypeLabels: Record<number, string> = {
  [gatewayTypes.INC]: 'INC',
  [gatewayTypes.LORA]: 'LORA',
  [gatewayTypes.IMSG_V1]: 'IMSG V1',
  [gatewayTypes.LSG_V1]: 'LSG V1',
  [gatewayTypes.IMSG_V2]: 'IMSG V2',
};
