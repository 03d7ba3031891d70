import { checker } from '@headrace/device/check';
import { gatewaySettingSchemas } from '@headrace/device/gateway-settings';
import type { GatewaySettings } from './gateway-state.ts';

/** Members that it doesn't know are ignored. */
const check = checker({ type: 'object', properties: gatewaySettingSchemas });

/** The settings with what `config` changes, or what is wrong with it. */
export function withSettings(
  settings: GatewaySettings,
  config: Record<string, unknown>,
): GatewaySettings | string {
  const checked = check(config);
  if (!checked.ok) return checked.reason;
  const known = Object.keys(settings) as (keyof GatewaySettings)[];
  const given = known.filter((name) => config[name] !== undefined);
  if (given.length === 0) return `config holds none of ${known.join(', ')}`;
  return { ...settings, ...Object.fromEntries(given.map((name) => [name, config[name]])) };
}
