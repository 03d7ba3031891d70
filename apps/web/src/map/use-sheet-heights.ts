import { useSyncExternalStore } from 'react';
import { sheetHeights, type SheetHeight } from './map-sheet.ts';

/** Half of a lower window has room for neither map nor list, px: a phone on its side, or with its keyboard. */
const LOW_PX = 480;
const WITHOUT_HALF: readonly SheetHeight[] = ['summary', 'full'];

const query = () => matchMedia(`(max-height: ${LOW_PX - 0.02}px)`);

function subscribe(listener: () => void): () => void {
  const list = query();
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
}

/** How high a list may stand over its map in this window. */
export function useSheetHeights(): readonly SheetHeight[] {
  return useSyncExternalStore(subscribe, () => query().matches) ? WITHOUT_HALF : sheetHeights;
}
