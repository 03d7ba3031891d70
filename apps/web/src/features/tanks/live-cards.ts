import { useEffect } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { StatusUpdate } from '@headrace/contract/live';
import { call } from '../../api/client.ts';
import { onStatusUpdate } from '../../api/live-events.ts';
import { tanksQuery } from './tanks.queries.ts';

/** Renews the one tank that a live message is about, and leaves the other cards as they are. */
export function useLiveCards(farmUID: string | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (farmUID === undefined) return undefined;
    return onStatusUpdate((update) => {
      if (update.type === 'tank_level' && update.farmUID === farmUID) void renewCard(queryClient, update);
    });
  }, [queryClient, farmUID]);
}

async function renewCard(queryClient: QueryClient, { farmUID, uid, updatedAt }: StatusUpdate): Promise<void> {
  const { queryKey } = tanksQuery(farmUID);
  const tanks = queryClient.getQueryData(queryKey);
  if (!tanks) return;
  const known = tanks.find((tank) => tank._id === uid);
  if (known?.updatedAt === updatedAt) return;
  try {
    if (!known) throw new Error('A tank that is new to us');
    const fresh = await call('GET /level/basic-info', { query: { farmUid: farmUID, sensorUid: uid } });
    queryClient.setQueryData(queryKey, (before) =>
      before?.map((tank) => (tank._id === uid && !isOlder(fresh.updatedAt, tank.updatedAt) ? fresh : tank)),
    );
  } catch {
    // Not allowed one by one, new, or a call that failed: the whole list says it.
    await queryClient.invalidateQueries({ queryKey });
  }
}

/** Answers may overtake each other. */
function isOlder(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && Date.parse(a) < Date.parse(b);
}
