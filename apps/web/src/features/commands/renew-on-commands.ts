import type { QueryClient } from '@tanstack/react-query';
import { onCommandUpdate } from '../../api/live-events.ts';

/** News of one command come in bursts: they are waited for so long, ms. */
const GATHER_MS = 500;

/**
 * Asks again what the commands of a farm make old: soon after their news, and while there is more of them at most every `everyMs`.
 * Returns how to stop.
 */
export function renewOnCommands(
  queryClient: QueryClient,
  farmUID: string,
  queryKey: readonly unknown[],
  everyMs = GATHER_MS,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = -Infinity;
  const renew = () => {
    timer = undefined;
    lastAt = performance.now();
    void queryClient.invalidateQueries({ queryKey });
  };
  const off = onCommandUpdate((command) => {
    if (command.farmUID !== farmUID) return;
    timer ??= setTimeout(renew, Math.max(GATHER_MS, lastAt + everyMs - performance.now()));
  });
  return () => {
    off();
    clearTimeout(timer);
  };
}
