import type { ServerFrame } from '@headrace/contract/live';
import { type GlobalSettings, getSettings, imsSettings, putSettings } from '@headrace/contract/settings';
import type { Caller, Mount } from '../../http/mount.ts';
import type { SettingsService } from './settings.service.ts';

export function settingsRoutes(
  mount: Mount,
  settings: SettingsService,
  installation: GlobalSettings,
  onStored: (caller: Caller, frame: ServerFrame) => void,
): void {
  mount(getSettings, ({ caller }) => settings.ofAccount(caller.accountId));
  mount(putSettings, async ({ caller, body, now }) => {
    const stored = await settings.store(caller.accountId, body.data, body.version, now);
    onStored(caller, { type: 'settings', data: stored });
    return stored;
  });
  mount(imsSettings, async () => installation);
}
