import { type GatewaySetting, gatewaySettings } from '@headrace/device/gateway-settings';
import { wholeText } from './number-text.ts';

export type { GatewaySetting };

/** Why a setting of a gateway can't be this value; null: it can. */
export function settingFault(name: GatewaySetting, value: number): string | null {
  const { least, most, isWhole } = gatewaySettings[name];
  const isWithin = Number.isFinite(value) && value >= least && value <= most;
  if (isWithin && (!isWhole || Number.isInteger(value))) return null;
  const range = `${wholeText(least)} to ${wholeText(most)}`;
  return `Enter a ${isWhole ? 'whole number' : 'number'} from ${range}.`;
}
