import type { LoginReply } from '@headrace/contract/accounts';
import { randomHex } from './random-hex.ts';

/** Who is signed in, as kept in local storage. */
export interface Session {
  logged: boolean;
  token: string;
  name: string;
  email: string;
  type: 'NONE' | 'SUBSCRIBER' | 'AGENT';
  hasMobile: boolean;
  subscriptionValidUntil: string | null;
  /** The password was given by somebody else: nothing but a new one is allowed. */
  mustChangePassword: boolean;
  isStaff: boolean;
}
/**
 * `asked`: the person chose Sign Out. `ended`: the server no longer takes the token. `replaced`: somebody else signs
 * in here, by a mailed link.
 */
export type SignOutReason = 'asked' | 'ended' | 'replaced';

const SESSION_KEY = 'headrace.session';
const DEVICE_KEY = 'headrace.device';
/** Saves this browser the second step of signing in. */
const REMEMBER_KEY = 'headrace.second-step';
const NOBODY: Session = {
  logged: false,
  token: '',
  name: '',
  email: '',
  type: 'NONE',
  hasMobile: false,
  subscriptionValidUntil: null,
  mustChangePassword: false,
  isStaff: false,
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

/** Nothing of a person stays in this browser but which browser it is, and that it needs no second step. */
function forgetAll(): void {
  const uid = deviceUid();
  const saved = stored(REMEMBER_KEY);
  try {
    localStorage.clear();
  } catch {
    // Storage refused: nothing is in it.
  }
  store(DEVICE_KEY, uid);
  if (saved) store(REMEMBER_KEY, saved);
}

export const rememberedSecondStep = (): string | null => stored(REMEMBER_KEY);
export const rememberSecondStep = (key: string): void => store(REMEMBER_KEY, key);

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
  const { token, name, email, type, hasMobile, subscriptionValidUntil, mustChangePassword, isStaff } = reply;
  change({
    logged: true,
    token,
    name,
    email,
    type,
    hasMobile,
    subscriptionValidUntil,
    mustChangePassword,
    isStaff,
  });
}

export function renewSubscription(subscriptionValidUntil: string): void {
  renewSession({ subscriptionValidUntil });
}

/** What the server says anew of who is signed in. */
export function renewSession(patch: Partial<Session>): void {
  if (current.logged) change({ ...current, ...patch });
}

/** Goes on with a session whose token has changed, even where the old token's end was heard of first. */
export function resumeSession(before: Session, token: string): void {
  change({ ...before, token, mustChangePassword: false });
}

export function signOut(reason: SignOutReason): void {
  if (!current.logged) return;
  // Another tab changed the password: the session goes on with the token that it has stored.
  const kept = read();
  if (reason === 'ended' && kept.logged && kept.token !== current.token) return change(kept);
  if (reason === 'ended') store(SESSION_KEY, null);
  else forgetAll();
  leave(reason);
}

/** The browser's storage says so already, and may hold the next session by now. */
function leave(reason: SignOutReason): void {
  current = NOBODY;
  for (const listener of listeners) listener();
  for (const listener of signOutListeners) listener(reason);
}

/** This browser's fingerprint: random, made once, kept over sign-outs. */
export function deviceUid(): string {
  device ||= stored(DEVICE_KEY) ?? '';
  if (!device) {
    device = randomHex(16);
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
    else if (current.logged) leave('asked');
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}
