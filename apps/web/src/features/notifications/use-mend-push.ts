import { useEffect } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notificationsQuery } from './notifications.queries.ts';

/** Once in each visit, as soon as the server has said that it sends to this browser. */
export function useMendPush(): void {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...notificationsQuery, enabled: false });
  const isListed = data !== undefined && data.deviceId !== null;
  useEffect(() => {
    if (!isListed || typeof PushManager === 'undefined') return;
    // What fails here is tried at the next visit.
    void import('./mend-push.ts').then(({ mendPush }) => mendPush(queryClient)).catch(() => undefined);
  }, [isListed, queryClient]);
}
