import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query';
import type { Settings, StoredSettings } from '@headrace/contract/settings';
import { defaultSettings } from '@headrace/contract/default-settings';
import { SETTINGS_DEBOUNCE_MS, SETTINGS_VERSION } from '@headrace/contract/limits';
import { isNewer, isOld, readSettings } from '@headrace/contract/rules/settings-migrations';
import { patchSettings, type SettingsPatch } from '@headrace/contract/rules/settings-patch';
import { call, isUnanswered } from '../api/client.ts';
import { onSession, session } from '../api/session.ts';
import { toast } from '../ui/toasts.ts';
import { unsaved } from './unsaved.ts';

export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal, client }) => loadSettings(client, signal),
  staleTime: Infinity,
});

export const globalSettingsQuery = queryOptions({
  queryKey: ['ims-settings'],
  queryFn: ({ signal }) => call('GET /ims-settings', { signal }),
  staleTime: 10 * 60_000,
});

/** Each document is read once: dozens of components of a page ask for it, and on a phone one reading takes 20 ms. */
const readDocuments = new WeakMap<StoredSettings, Settings>();
function readOnce(stored: StoredSettings): Settings {
  const settings = readDocuments.get(stored) ?? readSettings(stored);
  readDocuments.set(stored, settings);
  return settings;
}

/** The person's settings; the defaults until they are there. */
export function useSettings(): Settings {
  return useQuery({ ...settingsQuery, select: readOnce }).data ?? defaultSettings;
}

/** Whether they were stored by a newer version of the app: then nothing that is changed here is stored. */
export function useAreSettingsNewer(): boolean {
  return useQuery({ ...settingsQuery, select: isNewer }).data ?? false;
}

/** After a failed attempt without an answer, ms. */
const RETRY_MS = 15_000;
let timer: ReturnType<typeof setTimeout> | undefined;
/** How often something was stored: an answer to what was asked before is older than what is known. */
let stores = 0;
/** A live message within this time after something was stored may have been written before it, ms. */
const MAY_BE_OLDER_MS = 5_000;
/** When something was last stored, on `performance.now()`. */
let storedAt = -Infinity;
let wasBroughtUp = false;
let storeNow: (() => void) | undefined;
addEventListener('online', () => storeNow?.());
onSession(() => {
  if (session().logged) return;
  clearTimeout(timer);
  storedAt = -Infinity;
  wasBroughtUp = false;
  storeNow = undefined;
});

async function loadSettings(queryClient: QueryClient, signal: AbortSignal): Promise<StoredSettings> {
  const before = stores;
  const stored = await call('GET /settings', { signal });
  const known = queryClient.getQueryData(settingsQuery.queryKey);
  if (known && before !== stores) return known;
  unsaved.recall();
  if (unsaved.isWaiting()) storeAfter(queryClient, SETTINGS_DEBOUNCE_MS);
  return withUnsaved(stored);
}

/** An older document from the server must not undo what isn't stored yet. */
function withUnsaved(stored: StoredSettings): StoredSettings {
  const patch = unsaved.all();
  if (!patch || isNewer(stored)) return stored;
  return { data: patchSettings(readSettings(stored), patch), version: SETTINGS_VERSION };
}

/** A settings document came from the server by live message. One that may be older than ours is asked for instead. */
export function receiveSettings(queryClient: QueryClient, stored: StoredSettings): void {
  if (!unsaved.all() && performance.now() - storedAt < MAY_BE_OLDER_MS) {
    void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
    return;
  }
  queryClient.setQueryData(settingsQuery.queryKey, withUnsaved(stored));
  // The server is there again.
  if (unsaved.isWaiting()) storeAfter(queryClient, SETTINGS_DEBOUNCE_MS);
}

/** Changes settings at once here, and on the server 500 ms after the last change. */
export function saveSettings(queryClient: QueryClient, patch: SettingsPatch): void {
  const stored = queryClient.getQueryData(settingsQuery.queryKey);
  if (stored && isNewer(stored)) {
    const data = patchSettings(readSettings(stored), patch);
    queryClient.setQueryData(settingsQuery.queryKey, { ...stored, data });
    return;
  }
  unsaved.add(patch);
  if (stored) queryClient.setQueryData(settingsQuery.queryKey, withUnsaved(stored));
  storeAfter(queryClient, SETTINGS_DEBOUNCE_MS);
}

/** What an older version of the app stored is stored anew as this version has it; tried once. */
export function bringUpToDate(queryClient: QueryClient, stored: StoredSettings): void {
  if (wasBroughtUp || !isOld(stored)) return;
  wasBroughtUp = true;
  saveSettings(queryClient, {});
}

function storeAfter(queryClient: QueryClient, ms: number): void {
  clearTimeout(timer);
  storeNow = () => void storeSettings(queryClient);
  timer = setTimeout(storeNow, ms);
}

async function storeSettings(queryClient: QueryClient): Promise<void> {
  clearTimeout(timer);
  let patch: SettingsPatch | null = null;
  try {
    // Without the stored document a save would wipe what other devices put in it.
    await queryClient.ensureQueryData(settingsQuery);
    patch = unsaved.send();
    if (!patch) return;
    const data = known(queryClient);
    await call('PUT /settings', { body: { data, version: SETTINGS_VERSION } });
    stores += 1;
    storedAt = performance.now();
    unsaved.settle('done');
    // Another browser stored something meanwhile, and ours went over it.
    if (!unsaved.all() && JSON.stringify(known(queryClient)) !== JSON.stringify(data)) unsaved.add({});
    if (unsaved.isWaiting()) storeAfter(queryClient, SETTINGS_DEBOUNCE_MS);
  } catch (error) {
    if (session().logged) notStored(queryClient, error, patch);
  }
}

const known = (queryClient: QueryClient): Settings =>
  readSettings(queryClient.getQueryData(settingsQuery.queryKey) ?? { data: null, version: SETTINGS_VERSION });

function notStored(queryClient: QueryClient, error: unknown, patch: SettingsPatch | null): void {
  // No answer came: kept until the network is back.
  if (isUnanswered(error)) {
    unsaved.settle('again');
    storeAfter(queryClient, RETRY_MS);
    return;
  }
  unsaved.settle('done');
  if (!patch || Object.keys(patch).length === 0) return;
  toast.error("Your settings couldn't be saved. Please try again.");
  void queryClient.invalidateQueries({ queryKey: settingsQuery.queryKey });
}
