import { SETTINGS_VERSION } from '@headrace/contract/limits';
import type { ServerFrame } from '@headrace/contract/live';
import { defaultSettings, type Settings, type StoredSettings } from '@headrace/contract/settings';
import { invalid } from '../../http/errors.ts';
import type { SettingsRepo } from './settings.repo.ts';

const MAX_BYTES = 256 * 1024;

export function createSettingsService(settings: SettingsRepo) {
  async function ofAccount(accountId: number): Promise<StoredSettings> {
    const stored = await settings.ofAccount(accountId);
    return stored ?? { data: null, version: SETTINGS_VERSION };
  }
  return {
    ofAccount,
    /** The whole document, last write wins. Throws when it is over 256 KiB. */
    async store(accountId: number, data: Settings, version: number, now: Date): Promise<StoredSettings> {
      if (Buffer.byteLength(JSON.stringify(data)) > MAX_BYTES)
        throw invalid('The settings are too large: the limit is 256 KiB.', 'data');
      await settings.store(accountId, data, version, now);
      return { data, version };
    },
    async openingFrames(accountId: number): Promise<ServerFrame[]> {
      return [
        { type: 'settings', data: await ofAccount(accountId) },
        { type: 'default_settings', data: { data: defaultSettings, version: SETTINGS_VERSION } },
      ];
    },
  };
}
export type SettingsService = ReturnType<typeof createSettingsService>;
