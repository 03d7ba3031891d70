import type { GatewayMonitor, IoRelay, IoState } from '@headrace/contract/gateway-io';
import { defaultIoSettings, ioPorts } from '@headrace/contract/rules/io-settings';
import { MINUTE, uid } from '../../testing/fixtures.ts';
import { ago } from '../../testing/tank-fixtures.ts';
import type { RelayName } from './with-relay.ts';

/** What is on; all else is off. */
export const ioState = (...on: (keyof IoState)[]): IoState =>
  Object.fromEntries(
    ioPorts
      .flatMap((port) => [`input${port}`, `relay${port}`] as const)
      .map((name) => [name, on.includes(name)]),
  ) as IoState;

/** A gateway's inputs and relays for tests, with the default labels but for what is given of the relays. */
export function buildMonitor(
  over: Partial<GatewayMonitor> = {},
  relays: Partial<Record<RelayName, Partial<IoRelay>>> = {},
): GatewayMonitor {
  const settings = defaultIoSettings();
  for (const [name, relay] of Object.entries(relays) as [RelayName, Partial<IoRelay>][])
    settings[name] = { ...settings[name], ...relay };
  return {
    _id: uid(2001),
    name: 'Shed gateway',
    mac: '0018B2000A4F',
    serialNumber: 'GW1',
    connected: true,
    statusTime: ago(4 * MINUTE),
    state: ioState('input1'),
    ioSettings: settings,
    settingsTaken: true,
    version: 1,
    tanks: [],
    ...over,
  };
}

export const linkable = (n: number, level: number | null, invalid = false) => ({
  _id: uid(1000 + n),
  name: `Tank ${n}`,
  level,
  invalid,
});
