import { useSyncExternalStore } from 'react';
import { CONTACT_REFRESH_MS } from '@headrace/contract/limits';
import { serverNow } from '../api/server-time.ts';

/** One clock for every age on the screen: all of them move together, and one timer runs. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = serverNow();

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(tick, CONTACT_REFRESH_MS);
    document.addEventListener('visibilitychange', tick);
    queueMicrotask(tick);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/** The time (epoch ms), renewed every 10 s. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
