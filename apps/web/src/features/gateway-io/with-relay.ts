import type { IoRelay, IoSettings } from '@headrace/contract/gateway-io';
import { type IoPort, ioPorts } from '@headrace/contract/rules/io-settings';

export type RelayName = `relay${IoPort}`;

/** The settings as they are but for one relay. Other overrides are left out, so that they stay. */
export function withRelay(settings: IoSettings, changed: RelayName, change: Partial<IoRelay>): IoSettings {
  const relays = ioPorts.map((port): [RelayName, IoRelay] => {
    const name: RelayName = `relay${port}`;
    const { overriddenAt: _stays, ...relay } = settings[name];
    return [name, name === changed ? { ...relay, ...change } : relay];
  });
  return { ...settings, ...Object.fromEntries(relays) };
}
