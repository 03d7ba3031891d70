import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { SheetHeight } from '../../map/map-sheet.ts';
import { openSprinkler } from '../sprinkler-dialog/sprinkler-search.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import type { GroupDevice } from './group-markers.ts';
import type { GroupMapSearch } from './map-search.ts';

/**
 * Opens what was tapped: a sprinkler's dialog, which Back closes where its row is, or another device's popup in the place of the one
 * before, which needs all of a phone's map.
 */
export function useSelect(find: (id: string) => GroupDevice | null) {
  const patch = useSearchPatch<GroupMapSearch>();
  const navigate = useNavigate();
  const [height, setHeight] = useState<SheetHeight | null>(null);
  const select = (id: string | null) => {
    if (id !== null && find(id)?.kind === 'ipc') return void navigate(openSprinkler(id));
    if (id !== null) setHeight('summary');
    patch({ ipc: id ?? undefined }, { replace: true });
  };
  return { select, height, setHeight };
}
