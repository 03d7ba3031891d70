import type { LoginReply } from '@headrace/contract/accounts';

/** Who is signed in, as kept in local storage. */
export interface Session {
  logged: boolean;
  token: string;
  name: string;
  email: string;
  type: 'NONE' | 'SUBSCRIBER' | 'AGENT';
  hasMobile: boolean;
  subscriptionValidUntil: string | null;
}
/** `asked`: the person chose Sign Out. `ended`: the server no longer takes the token. */
export type SignOutReason = 'asked' | 'ended';

const SESSION_KEY = 'headrace.session';
const DEVICE_KEY = 'headrace.device';
const NOBODY: Session = {
  logged: false,
  token: '',
  name: '',
  email: '',
  type: 'NONE',
  hasMobile: false,
  subscriptionValidUntil: null,
};

let current = read();
let device = '';
const listeners = new Set<() => void>();
const signOutListeners = new Set<(reason: SignOutReason) => void>();

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Storage refused or full: the session lasts as long as this tab.
  }
}

function read(): Session {
  try {
    const kept = JSON.parse(stored(SESSION_KEY) ?? 'null') as Partial<Session> | null;
    return kept?.logged && kept.token ? { ...NOBODY, ...kept } : NOBODY;
  } catch {
    return NOBODY;
  }
}

function change(next: Session): void {
  current = next;
  store(SESSION_KEY, next.logged ? JSON.stringify(next) : null);
  for (const listener of listeners) listener();
}

export const session = (): Session => current;

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function onSignOut(listener: (reason: SignOutReason) => void): () => void {
  signOutListeners.add(listener);
  return () => signOutListeners.delete(listener);
}

export function signIn(reply: LoginReply): void {
  const { token, name, email, type, hasMobile, subscriptionValidUntil } = reply;
  change({ logged: true, token, name, email, type, hasMobile, subscriptionValidUntil });
}

export function renewSubscription(subscriptionValidUntil: string): void {
  if (current.logged) change({ ...current, subscriptionValidUntil });
}

export function signOut(reason: SignOutReason): void {
  if (!current.logged) return;
  change(NOBODY);
  for (const listener of signOutListeners) listener(reason);
}

/** This browser's fingerprint: random, made once, kept over sign-outs. Plain http has no randomUUID. */
export function deviceUid(): string {
  device ||= stored(DEVICE_KEY) ?? '';
  if (!device) {
    device = [...crypto.getRandomValues(new Uint8Array(16))]
      .map((n) => n.toString(16).padStart(2, '0'))
      .join('');
    store(DEVICE_KEY, device);
  }
  return device;
}

/** Signing in or out in one tab holds in all of them. */
export function followOtherTabs(): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key !== SESSION_KEY && event.key !== null) return;
    const next = read();
    if (next.token === current.token) return;
    if (next.logged) change(next);
    else signOut('asked');
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
