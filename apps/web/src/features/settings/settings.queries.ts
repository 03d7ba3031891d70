import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { Settings, StoredSettings } from '@headrace/contract/settings';
import { defaultSettings } from '@headrace/contract/default-settings';
import { SETTINGS_DEBOUNCE_MS, SETTINGS_VERSION } from '@headrace/contract/limits';
import { call } from '../../api/client.ts';
import { onSession, session } from '../../api/session.ts';
import { toast } from '../../ui/toasts.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => call('GET /settings', { signal }),
  staleTime: Infinity,
});

export const globalSettingsQuery = queryOptions({
  queryKey: ['ims-settings'],
  queryFn: ({ signal }) => call('GET /ims-settings', { signal }),
  staleTime: 10 * 60_000,
});

const withDefaults = (stored: StoredSettings): Settings => ({ ...defaultSettings, ...stored.data });

/** The person's settings; the defaults until they are there. */
export function useSettings(): Settings {
  return useQuery({ ...settingsQuery, select: withDefaults }).data ?? defaultSettings;
}

/** What was changed and isn't stored yet; an older document from the server must not undo it. */
let pending: Partial<Settings> = {};
let timer: ReturnType<typeof setTimeout> | undefined;
onSession(() => {
  if (session().logged) return;
  clearTimeout(timer);
  pending = {};
});

/** A settings document came from the server: by answer or by live message. */
export function receiveSettings(queryClient: QueryClient, stored: StoredSettings): void {
  const data = Object.keys(pending).length > 0 ? { ...stored.data, ...pending } : stored.data;
  queryClient.setQueryData(settingsQuery.queryKey, { data, version: stored.version });
}

/** Changes settings at once here, and on the server 500 ms after the last change. */
export function saveSettings(queryClient: QueryClient, patch: Partial<Settings>): void {
  pending = { ...pending, ...patch };
  const stored = queryClient.getQueryData(settingsQuery.queryKey) ?? {
    data: null,
    version: SETTINGS_VERSION,
  };
  receiveSettings(queryClient, stored);
  clearTimeout(timer);
  timer = setTimeout(() => void storeSettings(queryClient), SETTINGS_DEBOUNCE_MS);
}

async function storeSettings(queryClient: QueryClient): Promise<void> {
  const sent = pending;
  try {
    // Without the stored document a save would wipe what other devices put in it.
    const stored = await queryClient.ensureQueryData(settingsQuery);
    const data = { ...defaultSettings, ...stored.data, ...sent };
    await call('PUT /settings', { body: { data, version: SETTINGS_VERSION } });
    forget(sent);
  } catch {
    if (!session().logged) return;
    forget(sent);
    toast.error("Your settings couldn't be saved. Please try again.");
    await queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
  }
}

/** Drops what was sent, unless it has changed again since. */
function forget(sent: Partial<Settings>): void {
  const before: Record<string, unknown> = sent;
  pending = Object.fromEntries(Object.entries(pending).filter(([name, value]) => before[name] !== value));
}
