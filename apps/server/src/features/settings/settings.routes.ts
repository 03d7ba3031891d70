import type { ServerFrame } from '@headrace/contract/live';
import { getSettings, imsSettings, putSettings } from '@headrace/contract/settings';
import type { Caller, Mount } from '../../http/mount.ts';
import type { Installation } from './installation.ts';
import type { SettingsService } from './settings.service.ts';

export function settingsRoutes(
  mount: Mount,
  settings: SettingsService,
  installation: Pick<Installation, 'globalSettings'>,
  onStored: (caller: Caller, frame: ServerFrame) => void,
): void {
  mount(getSettings, ({ caller }) => settings.ofAccount(caller.accountId));
  mount(putSettings, async ({ caller, body, now }) => {
    const stored = await settings.store(caller.accountId, body.data, body.version, now);
    onStored(caller, { type: 'settings', data: stored });
    return stored;
  });
  mount(imsSettings, () => installation.globalSettings());
}
