import { createRootRouteWithContext, lazyRouteComponent, redirect } from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { session } from '../api/session.ts';
import { Frame } from './frame.tsx';

export interface RouterContext {
  queryClient: QueryClient;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: string;
    /** A page for signed-in people: others are offered to sign in. */
    isPrivate?: boolean;
  }
}

/** What somebody may read who still has to choose a password of their own. */
const openBeforeNewPassword = ['/security', '/terms-of-use', '/privacy-policy'];

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  beforeLoad: ({ location }) => {
    if (!session().mustChangePassword || openBeforeNewPassword.includes(location.pathname)) return;
    const wanted = location.pathname === '/' ? undefined : location.href;
    throw redirect({ to: '/security', search: { redirect: wanted }, replace: true });
  },
  component: Frame,
  notFoundComponent: lazyRouteComponent(() => import('../access/message-pages.tsx'), 'NotFoundPage'),
});
