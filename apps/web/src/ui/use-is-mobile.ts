import { useSyncExternalStore } from 'react';
import { MOBILE_MAX_PX } from '@headrace/contract/limits';

const query = () => matchMedia(`(max-width: ${MOBILE_MAX_PX}px)`);

function subscribe(listener: () => void): () => void {
  const list = query();
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** Whether the screen is a phone's: up to 767.98 px wide. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(subscribe, () => query().matches);
}
