import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { uidParam } from '../ui/url-state.ts';
import { requireLogin, requireOnSomeFarm } from './guard.ts';
import { rootRoute } from './root-route.ts';
import { alertsSearch, newAlertSearch } from '../features/alerts/alerts-search.ts';

/** What people want to be told. Farms of which they may not hear are not offered there. */
export const alertRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/alerts',
    validateSearch: alertsSearch,
    beforeLoad: (visit) => requireOnSomeFarm(needs.hearAlerts, visit),
    component: lazyRouteComponent(
      () => import('../features/alerts/manage-alerts-page.tsx'),
      'ManageAlertsPage',
    ),
    staticData: { title: 'Manage Alerts', isPrivate: true, farmIn: 'farm' },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/alerts/new',
    validateSearch: newAlertSearch,
    beforeLoad: (visit) => requireOnSomeFarm(needs.hearAlerts, visit),
    component: lazyRouteComponent(() => import('../features/alerts/alert-pages.tsx'), 'NewAlertPage'),
    staticData: { title: 'New alert', isPrivate: true, farmIn: 'farm' },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/alerts/$id',
    beforeLoad: (visit) => {
      if (!uidParam(visit.params.id)) throw notFound();
      return requireLogin();
    },
    component: lazyRouteComponent(() => import('../features/alerts/alert-pages.tsx'), 'EditAlertPage'),
    staticData: { title: 'Alert', isPrivate: true },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/a/$key',
    component: lazyRouteComponent(() => import('../features/alerts/answer-page.tsx'), 'AnswerPage'),
    staticData: { title: 'Alert' },
  }),
] as const;
