import type { Watch } from '@headrace/contract/live';
import { STALE_MS } from '../api/queries.ts';
import { areSprinklersWatched, onSprinklersWatched } from '../api/watched-sprinklers.ts';

/**
 * Says what of the farm is looked at, and again when that changes. Returns how to stop. What is younger than STALE_MS is shown
 * again as it is: so long after the last page with sprinklers is left the server tells of them still.
 */
export function followWatched(farmUID: string, say: (farm: Watch) => void): () => void {
  let sprinklers = areSprinklersWatched();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const change = (to: boolean) => {
    sprinklers = to;
    say({ farmUID, sprinklers });
  };
  const off = onSprinklersWatched(() => {
    clearTimeout(timer);
    const are = areSprinklersWatched();
    if (are && !sprinklers) change(true);
    if (!are && sprinklers) timer = setTimeout(() => change(false), STALE_MS);
  });
  change(sprinklers);
  return () => {
    off();
    clearTimeout(timer);
  };
}
