import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
import { session } from '../api/session.ts';
import type { ShareStep } from '../features/sharing/share-draft.ts';
import { oneOfParam, textParam, uidParam, type Search } from '../ui/url-state.ts';
import { requireLogin } from './guard.ts';
import { rootRoute } from './root-route.ts';
import { keySearch } from './search.ts';

/** Only owners share. */
function requireOwner(): void {
  requireLogin();
  if (session().type !== 'SUBSCRIBER') throw redirect({ to: '/403', replace: true });
}

interface InvitationsSearch {
  tab?: 'log' | undefined;
  q?: string | undefined;
}
const invitationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations',
  validateSearch: (search: Search): InvitationsSearch => ({
    tab: oneOfParam(search.tab, ['log']),
    q: textParam(search.q, 80),
  }),
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import('../features/sharing/invitations-page.tsx'), 'InvitationsPage'),
  staticData: { title: 'Manage Access', isPrivate: true },
});

const stepPages = {
  select: lazyRouteComponent(() => import('../features/sharing/share-select-page.tsx'), 'ShareSelectPage'),
  contacts: lazyRouteComponent(
    () => import('../features/sharing/share-contacts-page.tsx'),
    'ShareContactsPage',
  ),
  permissions: lazyRouteComponent(
    () => import('../features/sharing/share-permissions-page.tsx'),
    'SharePermissionsPage',
  ),
};

/** A later step without the earlier ones leads to the first of them that is missing. */
const stepRoute = <const Path extends string>(path: Path, step: ShareStep) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: async () => {
      requireOwner();
      const { firstMissing } = await import('../features/sharing/share-draft.ts');
      const first = firstMissing(step);
      if (first !== step) throw redirect({ to: `/invitations/share/${first}`, replace: true });
    },
    component: stepPages[step],
    staticData: { title: 'Share', isPrivate: true },
  });

/** `id` is the share's key. */
const editRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/permissions/$id',
  beforeLoad: ({ params }) => {
    requireOwner();
    if (!uidParam(params.id)) throw notFound();
  },
  component: lazyRouteComponent(
    () => import('../features/sharing/edit-permissions-page.tsx'),
    'EditPermissionsPage',
  ),
  staticData: { title: 'Edit permissions', isPrivate: true },
});

/** Open to everybody: accepting it asks to sign in. */
const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite',
  validateSearch: keySearch,
  component: lazyRouteComponent(() => import('../features/sharing/invite-page.tsx'), 'InvitePage'),
  staticData: { title: 'Invitation' },
});

/** For others than the operator's staff the page isn't there. */
const supportRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/support',
  validateSearch: (search: Search): { q?: string | undefined } => ({ q: textParam(search.q, 100) }),
  beforeLoad: () => {
    requireLogin();
    if (!session().isStaff) throw notFound();
  },
  component: lazyRouteComponent(() => import('../features/support/support-page.tsx'), 'SupportPage'),
  staticData: { title: 'Support', isPrivate: true },
});

/** Sharing farms, answering an invitation, and the operator's support. */
export const sharingRoutes = [
  invitationsRoute,
  stepRoute('/invitations/share/select', 'select'),
  stepRoute('/invitations/share/contacts', 'contacts'),
  stepRoute('/invitations/share/permissions', 'permissions'),
  editRoute,
  inviteRoute,
  supportRoute,
] as const;
