import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type RouterHistory,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { can, flag, needs, type Level, type Resource, type Right } from '@headrace/contract/permissions';
import { session } from '../api/session.ts';
import { farmsSummaryQuery } from '../farm/farms.queries.ts';
import { parseSearch, stringifySearch, uidParam } from '../ui/url-state.ts';
import { alertRoutes } from './alert-routes.ts';
import { ErrorScreen } from './error-screen.tsx';
import { requireLogin, requireOnFarm } from './guard.ts';
import { accountRoutes } from './account-routes.ts';
import { HomeRoute } from './home-route.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { rootRoute } from './root-route.ts';
import {
  adviceSearch,
  commandsSearch,
  compareSearch,
  diarySearch,
  dashboardSearch,
  devicesSearch,
  groupMapSearch,
  homeSearch,
  macLookupSearch,
  scheduleViewSearch,
  tankMapSearch,
  waterTakesSearch,
} from './search.ts';
import type { Visit } from './on-farm.ts';
import { sharingRoutes } from './sharing-routes.ts';

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: homeSearch,
  // Asked for at once, not only when the page's code is there.
  loader: ({ context }) => {
    if (session().logged) void context.queryClient.prefetchQuery(farmsSummaryQuery);
  },
  component: HomeRoute,
  // The farm whose groups are shown.
  staticData: { title: 'Farms', farmIn: 'f' },
});

const forbiddenRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/403',
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import('../access/message-pages.tsx'), 'ForbiddenPage'),
  staticData: { title: 'No permission', isPrivate: true },
});

const dashboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  validateSearch: dashboardSearch,
  beforeLoad: (visit) => requireOnFarm(needs.dashboard, visit),
  component: lazyRouteComponent(() => import('../features/dashboard/dashboard-page.tsx'), 'DashboardPage'),
  staticData: { title: 'Dashboard', isPrivate: true, farmIn: 'farm' },
});

const tanksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tanks',
  validateSearch: tankMapSearch,
  beforeLoad: (visit) => requireOnFarm(needs.tankMap, visit),
  component: lazyRouteComponent(() => import('../features/tanks/tank-map-page.tsx'), 'TankMapPage'),
  staticData: { title: 'Tanks', isPrivate: true, farmIn: 'farm' },
});

const groupMapRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/group-status/$name',
  validateSearch: groupMapSearch,
  beforeLoad: (visit) => requireOnFarm(needs.groupMap, visit),
  component: lazyRouteComponent(() => import('../features/group-map/group-map-page.tsx'), 'GroupMapPage'),
  staticData: { title: 'Sprinklers', isPrivate: true, farmIn: 'farm' },
});

const commandsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/commands/$farmUID',
  validateSearch: commandsSearch,
  beforeLoad: (visit) =>
    requireOnFarm(needs.readCommands, { ...visit, search: { farm: visit.params.farmUID } }),
  component: lazyRouteComponent(() => import('../features/commands/command-log-page.tsx'), 'CommandLogPage'),
  staticData: { title: 'Commands', isPrivate: true, farmIn: 'farmUID' },
});

const diaryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/irr-diary-logs/view/$farmUID',
  validateSearch: diarySearch,
  beforeLoad: (visit) => requireOnFarm(needs.dashboard, { ...visit, search: { farm: visit.params.farmUID } }),
  component: lazyRouteComponent(() => import('../features/irr-diary/diary-page.tsx'), 'DiaryPage'),
  staticData: { title: 'Irrigation diary', isPrivate: true, farmIn: 'farmUID' },
});

const adviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/irrigation-advice/$farmUID',
  validateSearch: adviceSearch,
  beforeLoad: (visit) =>
    requireOnFarm(
      { anyOf: [can('schedules', 'Read')] },
      { ...visit, search: { farm: visit.params.farmUID } },
    ),
  component: lazyRouteComponent(() => import('../features/irrigation-advice/advice-page.tsx'), 'AdvicePage'),
  staticData: { title: 'Irrigation advice', isPrivate: true, farmIn: 'farmUID' },
});

const waterTakesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/water-takes/$farmUID',
  validateSearch: waterTakesSearch,
  beforeLoad: (visit) =>
    requireOnFarm(needs.readSensors, { ...visit, search: { farm: visit.params.farmUID } }),
  component: lazyRouteComponent(
    () => import('../features/water-takes/water-takes-page.tsx'),
    'WaterTakesPage',
  ),
  staticData: { title: 'Water takes', isPrivate: true, farmIn: 'farmUID' },
});

const deviceMessagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device-messages/$farmUID',
  beforeLoad: (visit) =>
    requireOnFarm(needs.readLetters, { ...visit, search: { farm: visit.params.farmUID } }),
  component: lazyRouteComponent(
    () => import('../features/dead-letters/device-messages-page.tsx'),
    'DeviceMessagesPage',
  ),
  staticData: { title: 'Device messages', isPrivate: true, farmIn: 'farmUID' },
});

const templatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/scheduler/$farmUID',
  beforeLoad: (visit) =>
    requireOnFarm(
      { anyOf: [can('schedules', 'Read')] },
      { ...visit, search: { farm: visit.params.farmUID } },
    ),
  component: lazyRouteComponent(() => import('../features/schedules/templates-page.tsx'), 'TemplatesPage'),
  staticData: { title: 'Schedule templates', isPrivate: true, farmIn: 'farmUID' },
});

const setsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/$id',
  beforeLoad: (visit) =>
    requireOnFarm({ anyOf: [can('schedules', 'Read')] }, { ...visit, search: { farm: visit.params.id } }),
  component: lazyRouteComponent(() => import('../features/schedule-sets/sets-page.tsx'), 'SetsPage'),
  staticData: { title: 'Schedule sets', isPrivate: true, farmIn: 'id' },
});

const compareSetsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/compare/$id',
  validateSearch: compareSearch,
  beforeLoad: (visit) =>
    requireOnFarm({ anyOf: [can('schedules', 'Read')] }, { ...visit, search: { farm: visit.params.id } }),
  component: lazyRouteComponent(() => import('../features/schedule-sets/compare-page.tsx'), 'ComparePage'),
  staticData: { title: 'Compare schedule sets', isPrivate: true, farmIn: 'id' },
});

const scheduleViewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/schedules/view/$id',
  validateSearch: scheduleViewSearch,
  beforeLoad: (visit) =>
    requireOnFarm({ anyOf: [can('schedules', 'Read')] }, { ...visit, search: { farm: visit.params.id } }),
  component: lazyRouteComponent(
    () => import('../features/schedule-view/schedule-view-page.tsx'),
    'ScheduleViewPage',
  ),
  staticData: { title: 'Watering', isPrivate: true, farmIn: 'id' },
});

const walkListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/walk-list/$farmUID',
  beforeLoad: (visit) => requireOnFarm(needs.walkList, { ...visit, search: { farm: visit.params.farmUID } }),
  component: lazyRouteComponent(() => import('../features/walk-list/walk-list-page.tsx'), 'WalkListPage'),
  staticData: { title: 'Walk list', isPrivate: true, farmIn: 'farmUID' },
});

/** Into the form of a farm's record, or of a new one. */
function enterForm(need: Right, { context, preload, params }: Omit<Visit, 'search'> & { params: object }) {
  const { farmUID, id, groupId = id } = params as { farmUID?: string; id?: string; groupId?: string };
  if (groupId !== undefined && !uidParam(groupId)) throw notFound();
  return requireOnFarm({ anyOf: [need] }, { context, preload, search: { farm: farmUID } });
}

/** The form of a template. Who may only read schedules may try things out there. */
const templateRoute = <const Path extends string>(path: Path, page: 'NewTemplatePage' | 'EditTemplatePage') =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: (visit) => enterForm(can('schedules', 'Read'), visit),
    component: lazyRouteComponent(() => import('../features/schedules/template-pages.tsx'), page),
    staticData: { title: 'Schedule template', isPrivate: true, farmIn: 'farmUID' },
  });

const newFarmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/farm/new',
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import('../features/farms/farm-pages.tsx'), 'NewFarmPage'),
  staticData: { title: 'New farm', isPrivate: true },
});

const farmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/farm/$id',
  beforeLoad: (visit) =>
    requireOnFarm({ anyOf: [can('farms', 'Edit')] }, { ...visit, search: { farm: visit.params.id } }),
  component: lazyRouteComponent(() => import('../features/farms/farm-pages.tsx'), 'EditFarmPage'),
  staticData: { title: 'Farm Information', isPrivate: true, farmIn: 'id' },
});

const DeviceListPage = lazyRouteComponent(() => import('./device-list-page.tsx'), 'DeviceListPage');
const DeviceFormPage = lazyRouteComponent(() => import('./device-form-page.tsx'), 'DeviceFormPage');

/** A farm's devices of one kind: their list, a new one, and one to change. */
function deviceRoutes<const List extends string, const One extends string>(
  list: List,
  one: One,
  resource: Resource,
  title: string,
) {
  const route = <const Path extends string>(path: Path, level: Level, component: typeof DeviceListPage) =>
    createRoute({
      getParentRoute: () => rootRoute,
      path,
      validateSearch: devicesSearch,
      beforeLoad: (visit) => {
        const { farmUID, id = '' } = visit.params as { farmUID?: string; id?: string };
        if (level === 'Edit' && !uidParam(id)) throw notFound();
        const { context, preload } = visit;
        return requireOnFarm(
          { anyOf: [can(resource, level)] },
          { context, preload, search: { farm: farmUID ?? id } },
        );
      },
      component,
      staticData: { title, isPrivate: true, farmIn: path.includes('$farmUID') ? 'farmUID' : 'id' },
    });
  return [
    route(`/${list}/$id`, 'Read', DeviceListPage),
    route(`/${one}/new/$farmUID`, 'Create', DeviceFormPage),
    route(`/${one}/$farmUID/$id`, 'Edit', DeviceFormPage),
  ] as const;
}

/** Many sprinklers added at once. */
const manyRoute = <const Path extends string>(path: Path, page: 'PastePage' | 'PlacePage') =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: ({ context, preload, params }) => {
      const { farmUID } = params as { farmUID?: string };
      const need = { anyOf: [can('irrigationDevices', 'Create')] };
      return requireOnFarm(need, { context, preload, search: { farm: farmUID } });
    },
    component: lazyRouteComponent(() => import('./many-pages.tsx'), page),
    staticData: { title: 'Sprinklers', isPrivate: true, farmIn: 'farmUID' },
  });

/** The forms of a farm's groups, and who is in them. */
const groupRoute = <const Path extends string>(
  path: Path,
  need: Right,
  page: 'NewGroupPage' | 'EditGroupPage' | 'DevicesMapPage' | 'DevicesListPage',
  title = 'Group',
) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: devicesSearch,
    beforeLoad: (visit) => enterForm(need, visit),
    component: lazyRouteComponent(() => import('../features/groups/group-pages.ts'), page),
    staticData: { title, isPrivate: true, farmIn: 'farmUID' },
  });

const macLookupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/mac/lookup',
  validateSearch: macLookupSearch,
  beforeLoad: requireLogin,
  component: lazyRouteComponent(() => import('../features/registry/lookup-page.tsx'), 'MacLookupPage'),
  staticData: { title: 'MAC Address Lookup', isPrivate: true },
});

/** Open to everybody. */
const barcodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/barcode',
  component: lazyRouteComponent(() => import('../features/registry/barcode-pages.tsx'), 'BarcodePage'),
  staticData: { title: 'Scan a bar code' },
});

const serialRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/barcode/$serial',
  component: lazyRouteComponent(() => import('../features/registry/barcode-pages.tsx'), 'SerialPage'),
  staticData: { title: 'Serial number' },
});

/** About tank telemetry; open to everybody. */
const tlmRoute = <const Path extends string>(
  path: Path,
  page: 'TlmPage' | 'TlmSignupPage' | 'TlmAddPage',
  title: string,
) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyRouteComponent(() => import('../features/tlm/tlm-pages.ts'), page),
    staticData: { title },
  });

const routeTree = rootRoute.addChildren([
  homeRoute,
  ...accountRoutes,
  forbiddenRoute,
  dashboardRoute,
  tanksRoute,
  groupMapRoute,
  commandsRoute,
  diaryRoute,
  adviceRoute,
  waterTakesRoute,
  deviceMessagesRoute,
  templatesRoute,
  setsRoute,
  compareSetsRoute,
  scheduleViewRoute,
  walkListRoute,
  templateRoute('/scheduler/new/$farmUID', 'NewTemplatePage'),
  templateRoute('/scheduler/$farmUID/$id', 'EditTemplatePage'),
  newFarmRoute,
  farmRoute,
  ...deviceRoutes('irrigation-devices', 'irrigation-device', 'irrigationDevices', 'Sprinklers'),
  manyRoute('/irrigation-device/paste/$farmUID', 'PastePage'),
  manyRoute('/irrigation-device/map/$farmUID', 'PlacePage'),
  ...deviceRoutes('gateway-devices', 'gateway-device', 'gateways', 'Gateways'),
  ...deviceRoutes('repeater-devices', 'repeater-device', 'repeaters', 'Repeaters'),
  ...deviceRoutes('sensor-devices', 'sensor-device', 'sensors', 'Sensors'),
  ...deviceRoutes('pois', 'pois', 'pois', 'Points of interest'),
  groupRoute('/group/new/$farmUID', can('groups', 'Create'), 'NewGroupPage', 'New group'),
  groupRoute('/group/$farmUID/$id', can('groups', 'Edit'), 'EditGroupPage'),
  groupRoute('/group/devices-map/$farmUID/$groupId', flag('manageGroupDevices'), 'DevicesMapPage'),
  groupRoute('/group/devices-list/$farmUID/$groupId', flag('manageGroupDevices'), 'DevicesListPage'),
  ...sharingRoutes,
  ...alertRoutes,
  macLookupRoute,
  barcodeRoute,
  serialRoute,
  tlmRoute('/tlm', 'TlmPage', 'Tank telemetry'),
  tlmRoute('/tlm/signup', 'TlmSignupPage', 'Ask for tank telemetry'),
  tlmRoute('/tlm/add', 'TlmAddPage', 'Add tank telemetry'),
]);

/** A skeleton that is shown while one goes to another page stays for so long, so that it doesn't flash. */
const SKELETON_MS = 500;

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 200,
    // The first page takes the place of a skeleton that is there anyway.
    defaultPendingMinMs: 0,
    defaultErrorComponent: ErrorScreen,
    scrollRestoration: true,
  });
  const stop = router.subscribe('onResolved', () => {
    stop();
    router.update({ ...router.options, defaultPendingMinMs: SKELETON_MS });
  });
  return router;
}
export type AppRouter = ReturnType<typeof createAppRouter>;
