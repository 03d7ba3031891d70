import { mergePatches, type SettingsPatch } from '@headrace/contract/rules/settings-patch';
import { onSession, session } from '../api/session.ts';

/** Changes that the server hasn't got yet, kept over a reload: who made them, and what. */
const KEY = 'headrace.settings-unsaved';

/** Those on their way, and those made since. An empty one has the document stored as it is. */
let sent: SettingsPatch | null = null;
let waiting: SettingsPatch | null = null;

onSession(() => {
  if (session().logged) return;
  sent = null;
  waiting = null;
  keep();
});

/** All of them as one; null: there are none. */
const all = (): SettingsPatch | null => (sent && waiting ? mergePatches(sent, waiting) : (sent ?? waiting));

function keep(): void {
  try {
    const patch = all();
    if (patch) localStorage.setItem(KEY, JSON.stringify({ email: session().email, patch }));
    else localStorage.removeItem(KEY);
  } catch {
    // Storage refused or full: they last as long as this tab.
  }
}

function add(patch: SettingsPatch): void {
  waiting = mergePatches(waiting ?? {}, patch);
  keep();
}

/** Those that an earlier visit of the same person couldn't store. */
function recall(): void {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as {
      email: string;
      patch: SettingsPatch;
    } | null;
    if (kept?.email === session().email && !all()) waiting = kept.patch;
  } catch {
    // Nothing that can be read.
  }
}

/** Those to send now: they are under way until `settle`. Null: none, or others are under way. */
function send(): SettingsPatch | null {
  if (sent || !waiting) return null;
  sent = waiting;
  waiting = null;
  return sent;
}

/** The server has what was sent, or refused it; or it must be sent again. */
function settle(how: 'done' | 'again'): void {
  if (how === 'again' && sent) waiting = mergePatches(sent, waiting ?? {});
  sent = null;
  keep();
}

export const unsaved = { all, add, recall, send, settle, isWaiting: () => waiting !== null && sent === null };
