import { useSyncExternalStore } from 'react';
import { call, errorText, isUnanswered } from '../../api/client.ts';
import { isServerAway, onReach } from '../../api/reach.ts';
import { serverNow } from '../../api/server-time.ts';
import { session } from '../../api/session.ts';

/** A battery that was changed in the field: kept in this browser until the server has it. */
export interface Done {
  readonly farmUID: string;
  readonly id: string;
  readonly device: 'sprinkler' | 'repeater';
  readonly name: string;
  /** Epoch ms. */
  readonly at: number;
  readonly state: 'kept' | 'recorded' | 'refused';
  /** Of one that was refused. */
  readonly why: string;
}

const KEY = 'headrace.batteries-changed';
/** What is recorded is shown for the day; what isn't is kept until it is, or too late to be taken. */
const SHOWN_MS = 12 * 3_600_000;
const TAKEN_MS = 14 * 86_400_000;
const listeners = new Set<() => void>();
const NONE: readonly Done[] = [];

interface Kept {
  email: string;
  all: readonly Done[];
}
let seen: { text: string; kept: Kept } | undefined;

/** Of the person who is signed in. */
function read(): readonly Done[] {
  const text = localStorage.getItem(KEY);
  if (text === null) return NONE;
  if (seen?.text !== text) seen = { text, kept: parse(text) };
  return seen.kept.email === session().email ? seen.kept.all : NONE;
}

function parse(text: string): Kept {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    return { email: '', all: NONE };
  }
}

function write(all: readonly Done[]): void {
  const now = serverNow();
  const worth = all.filter(({ state, at }) => now - at < (state === 'recorded' ? SHOWN_MS : TAKEN_MS));
  localStorage.setItem(KEY, JSON.stringify({ email: session().email, all: worth } satisfies Kept));
  for (const listener of listeners) listener();
}

const isSame = (one: Done, other: Done) => one.id === other.id && one.at === other.at;
const change = (done: Done, to: Partial<Done>) =>
  write(read().map((one) => (isSame(one, done) ? { ...one, ...to } : one)));

let sending: Promise<void> | undefined;

/** Sends what is kept, one after the other, as long as the server answers. */
export function sendKept(): Promise<void> {
  sending ??= sendAll().finally(() => (sending = undefined));
  return sending;
}

async function sendAll(): Promise<void> {
  for (let next = nextKept(); next; next = nextKept()) {
    const left = await sendOne(next);
    if (left) return;
  }
}
const nextKept = () => (isServerAway() ? undefined : read().find(({ state }) => state === 'kept'));

/** Whether it stays for later: nobody answered. */
async function sendOne(done: Done): Promise<boolean> {
  const at = new Date(done.at).toISOString();
  try {
    if (done.device === 'sprinkler')
      await call('POST /ipc/replace-battery', { body: { ipcUID: done.id, at } });
    else await call('POST /repeater/replace-battery', { body: { rptrUID: done.id, at } });
    change(done, { state: 'recorded' });
    return false;
  } catch (error) {
    if (isUnanswered(error)) return true;
    change(done, { state: 'refused', why: errorText(error) });
    return false;
  }
}

/** Its battery was changed just now. */
export function markDone(stop: Pick<Done, 'farmUID' | 'id' | 'device' | 'name'>): Promise<void> {
  const { farmUID, id, device, name } = stop;
  write([...read(), { farmUID, id, device, name, at: serverNow(), state: 'kept', why: '' }]);
  return sendKept();
}

/** It was a mistake, or can't be recorded: nothing of it stays here. */
export const forgetDone = (done: Done): void => write(read().filter((one) => !isSame(one, done)));

/** What was changed from this browser, the newest first. Sends what is kept as soon as the server can be reached. */
export function useDoneHere(farmUID: string): readonly Done[] {
  const all = useSyncExternalStore(subscribe, read);
  return all.filter((done) => done.farmUID === farmUID).toReversed();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const off = onReach(() => void sendKept());
  void sendKept();
  return () => {
    listeners.delete(listener);
    off();
  };
}
