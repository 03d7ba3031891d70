import { checker } from '@headrace/device/check';
import type { GatewaySettings } from './gateway-state.ts';

const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });

/** What UpdateSettings may set, in JSON Schema; members it doesn't know are ignored. */
const check = checker({
  type: 'object',
  properties: {
    commsMaxAttempts: whole(1, 100),
    commsMaxTTL: whole(1, 86_400),
    chargeThreshold: { type: 'number', minimum: 0, maximum: 100 },
    clockTreshold: whole(1, 86_400),
    statusPeriod: whole(30, 86_400),
    timesetPeriod: whole(60, 604_800),
    channel: whole(0, 255),
    spfactor: whole(0, 255),
  },
});

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
