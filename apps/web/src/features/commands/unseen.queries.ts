import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { call } from '../../api/client.ts';
import { onCommandUpdate } from '../../api/live-events.ts';

const EACH_5_MIN = 5 * 60_000;
/** Many pages hear at once that a command has ended, and do not all ask at once, ms. */
const SPREAD_MS = 3000;

/** What ended badly on a farm and this person has not seen since; asked again when a command has ended (`refetchOnCommandEnd`). */
export const unseenQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['commands', farmUID, 'unseen'],
    queryFn: async ({ signal }) =>
      (await call('GET /commands/unseen', { query: { farmUID }, signal })).commands,
    refetchInterval: EACH_5_MIN,
    meta: { farmUID, records: ['sprinkler', 'gateway'] },
  });

/** Something of it was seen on another page, or ended. */
export function renewUnseen(queryClient: QueryClient, farmUID: string): void {
  void queryClient.invalidateQueries({ queryKey: unseenQuery(farmUID).queryKey });
}

/** Asks again what ended badly, once for a burst of ends. Returns how to stop. */
export function refetchOnCommandEnd(queryClient: QueryClient): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const off = onCommandUpdate((command) => {
    const { farmUID } = command;
    if (isUnderWay(command) || timers.has(farmUID)) return;
    const renew = () => {
      timers.delete(farmUID);
      renewUnseen(queryClient, farmUID);
    };
    timers.set(farmUID, setTimeout(renew, Math.random() * SPREAD_MS));
  });
  return () => {
    off();
    timers.forEach((timer) => clearTimeout(timer));
  };
}
