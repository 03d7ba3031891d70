import { useNavigate } from '@tanstack/react-router';
import { openSprinkler } from '../sprinkler-dialog/sprinkler-search.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import type { GroupDevice } from './group-markers.ts';
import type { GroupMapSearch } from './map-search.ts';

/** Opens what was tapped: a sprinkler's dialog, which Back closes, or another device's popup in the place of the one before. */
export function useSelect(find: (id: string) => GroupDevice | null): (id: string | null) => void {
  const patch = useSearchPatch<GroupMapSearch>();
  const navigate = useNavigate();
  return (id) => {
    if (id !== null && find(id)?.kind === 'ipc') void navigate(openSprinkler(id));
    else patch({ ipc: id ?? undefined }, { replace: true });
  };
}
