import { useState } from 'react';
import type { SheetHeight } from '../../map/map-sheet.ts';
import { useOpening } from '../sprinkler-dialog/opening.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import type { GroupDevice } from './group-markers.ts';
import type { GroupMapSearch } from './map-search.ts';

/**
 * Opens what was tapped: a sprinkler's dialog, which Back closes where its row is, or another device's popup in the place of the one
 * before, which needs all of a phone's map.
 */
export function useSelect(find: (id: string) => GroupDevice | null) {
  const patch = useSearchPatch<GroupMapSearch>();
  const opening = useOpening();
  const [height, setHeight] = useState<SheetHeight | null>(null);
  /** `then`: what else follows on the page. */
  const select = (id: string | null, then?: () => void) => {
    if (id !== null && find(id)?.kind === 'ipc') return opening.open(id, then);
    then?.();
    if (id !== null) setHeight('summary');
    patch({ ipc: id ?? undefined }, { replace: true });
  };
  return { select, opening, height, setHeight };
}
