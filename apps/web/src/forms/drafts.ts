import { onSignOut, session } from '../api/session.ts';

/** What was typed into a form and not saved, kept in this tab over a reload, a lost session or a lost connection. */
export interface Draft<V> {
  /** When it was last typed in, epoch ms on this machine's clock. */
  at: number;
  values: V;
  /** What the record held when typing began, and its version: absent for a new record. */
  base: V;
  version?: number | undefined;
}

const PREFIX = 'headrace.draft.';
/** Another person who signs in on this tab doesn't see it. */
const nameOf = (key: string) => `${PREFIX}${session().email}.${key}`;

// Whoever signs out is done. A session that the server ended goes on after signing in again.
onSignOut((reason) => {
  if (reason === 'ended') return;
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
});

export function storeDraft<V>(key: string, draft: Draft<V>): void {
  try {
    sessionStorage.setItem(nameOf(key), JSON.stringify(draft));
  } catch {
    // Storage refused or full: what is typed lasts as long as this page.
  }
}

export function forgetDraft(key: string): void {
  sessionStorage.removeItem(nameOf(key));
}

/** The draft of a record, unless it is of another shape than `like`: from before an upgrade. */
export function readDraft<V extends object>(key: string, like: V): Draft<V> | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null') as Draft<V> | null;
    const isFit = draft !== null && hasSameFields(draft.values, like) && hasSameFields(draft.base, like);
    return isFit && Number.isFinite(draft.at) ? draft : null;
  } catch {
    return null;
  }
}

const fieldsOf = (values: object) => Object.keys(values).sort().join();
const hasSameFields = (one: object, other: object) => fieldsOf(one) === fieldsOf(other);
