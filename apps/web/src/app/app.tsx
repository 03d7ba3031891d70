import { useEffect } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { followOtherTabs, onSession, onSignOut, session } from '../api/session.ts';
import { toast } from '../ui/toasts.ts';
import { followLastKnown } from './follow-last-known.ts';
import type { AppRouter } from './router.tsx';

export interface AppProps {
  queryClient: QueryClient;
  router: AppRouter;
}

export function App({ queryClient, router }: AppProps) {
  useEffect(() => followSession(queryClient, router), [queryClient, router]);
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** Nothing of a session outlives it; one that the server ended is taken up again where it was. */
function followSession(queryClient: QueryClient, router: AppRouter): () => void {
  const stops = [
    followOtherTabs(),
    followLastKnown(queryClient),
    onSession(() => {
      if (!session().logged) queryClient.clear();
      void router.invalidate();
    }),
    onSignOut(endPush),
    onSignOut((reason) => {
      const here = router.state.location;
      if (reason === 'replaced') return;
      if (reason === 'asked') return void router.navigate({ to: '/' });
      toast.error('Your session has ended. Please sign in again.', { id: 'session-ended' });
      const redirect = here.pathname === '/' ? undefined : here.href;
      return void router.navigate({ to: '/login', search: { redirect }, replace: true });
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Whoever uses this browser next must not read what comes for the one who left. */
function endPush(): void {
  if (!('serviceWorker' in navigator)) return;
  void import('../features/notifications/push.ts')
    .then(({ unsubscribe }) => unsubscribe())
    .catch(() => undefined);
}
