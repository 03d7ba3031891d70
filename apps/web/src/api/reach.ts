import { useSyncExternalStore } from 'react';
import { onSession, session } from './session.ts';

/** What is missing: an answer of the server, or the database behind it. */
export type Missing = 'server' | 'database';

/** One call that fails among others that don't is forgotten a moment later. */
let missing: Missing | null = null;
let lastHeardAt: number | null = null;
const listeners = new Set<() => void>();

onSession(() => {
  if (!session().logged) change(null, null);
});

function change(now: Missing | null, heardAt: number | null): void {
  lastHeardAt = heardAt;
  if (now === missing) return;
  missing = now;
  for (const listener of listeners) listener();
}

/** The server answered a call, at `at` (epoch ms by this browser's clock). */
export const hearServer = (at = Date.now()): void => change(null, at);
/** It said something live, which it can without its database. */
export const hearLive = (at = Date.now()): void => void (missing !== 'database' && change(null, at));
/** It gave no answer, or there is no network to carry one. */
export const missServer = (): void => change('server', lastHeardAt);
/** It answered that it has no database now. */
export const missDatabase = (): void => change('database', lastHeardAt);
/** What is shown again of an earlier visit is as of `at`. */
export const recallHearing = (at: number | null): void => change(missing, lastHeardAt ?? at);

export const whatIsMissing = (): Missing | null => missing;
/** Nothing new can be had of it. */
export const isServerAway = (): boolean => missing !== null;
/** Epoch ms; null: this browser never heard it. */
export const serverHeardAt = (): number | null => lastHeardAt;

export function onReach(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useMissing = (): Missing | null => useSyncExternalStore(onReach, whatIsMissing);

/** Resolves as soon as the server is away. */
export function untilAway(): Promise<void> {
  if (missing) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = onReach(() => {
      if (!missing) return;
      stop();
      resolve();
    });
  });
}
