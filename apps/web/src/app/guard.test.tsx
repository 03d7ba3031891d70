import { createMemoryHistory, isNotFound } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import {
  levels,
  ownerPermissions,
  presets,
  type Flag,
  type Permissions,
  type Resource,
} from '@headrace/contract/permissions';
import { createQueryClient } from '../api/queries.ts';
import { signIn } from '../api/session.ts';
import { FakeApi } from '../testing/fake-api.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { buildLogin, nothingOn, permissionsOn, rakaia, uid, waihao } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';
import { createAppRouter } from './router.tsx';

const NOT_FOUND = "Sorry, we couldn't find what you're looking for.";
const FORBIDDEN = "Sorry, you don't have permissions to access this page for the current farm.";

const withRights = (...rows: ReturnType<typeof permissionsOn>[]) =>
  new FakeApi().on('GET /permissions-list', { permissions: rows });

describe('people who are not signed in', () => {
  test('see that a private page is not there, and may sign in to reach it', async () => {
    const { user, router } = renderApp('/tanks?p=0042', { as: null });
    expect(await screen.findByText(NOT_FOUND)).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Sign in' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
    expect(router.state.location.search).toEqual({ redirect: '/tanks?p=0042' });
  });

  test('are offered the way home alone where there is no such page for anyone', async () => {
    renderApp('/nowhere', { as: null });
    expect(await screen.findByText(NOT_FOUND)).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Sign in' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
  });

  test('ask the server for nothing of theirs', async () => {
    const { api } = renderApp('/tanks', { as: null });
    await screen.findByText(NOT_FOUND);
    expect(api.calls('GET /permissions-list')).toHaveLength(0);
    expect(FakeSocket.all).toHaveLength(0);
  });
});

describe('permissions of the current farm', () => {
  test.each(['/dashboard', '/tanks'])('without the right %s leads to the page that says so', async (path) => {
    const { router } = renderApp(path, { api: withRights(nothingOn(rakaia), permissionsOn(waihao)) });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
    expect(router.state.location.pathname).toBe('/403');
    expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
  });

  test('a farm without a row gives no right', async () => {
    renderApp('/dashboard', { api: withRights(permissionsOn(waihao)) });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
  });

  test('a right that is taken away closes the page that needs it', async () => {
    const { router } = renderApp('/dashboard');
    await waitFor(() => expect(FakeSocket.all).toHaveLength(1));
    await waitFor(() => expect(router.state.status).toBe('idle'));
    expect(router.state.location.pathname).toBe('/dashboard');
    FakeSocket.last.push({ type: 'permissions', data: [nothingOn(rakaia)] });
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
  });

  test('a farm named in the address becomes the current one', async () => {
    const { api, router } = renderApp(`/dashboard?farm=${waihao._id}`, {
      api: withRights(nothingOn(rakaia), permissionsOn(waihao, presets.guest)),
    });
    expect(await screen.findByRole('button', { name: /^Current farm: Waihao Flats/ })).toBeTruthy();
    await waitFor(() => expect(api.calls('PUT /settings')[0]?.body.data.currFarm).toBe(waihao._id));
    expect(router.state.location.pathname).toBe('/dashboard');
  });

  test('a farm that is not theirs is as if it did not exist', async () => {
    renderApp(`/dashboard?farm=${uid(77)}`);
    expect(await screen.findByText(NOT_FOUND)).toBeTruthy();
  });

  test('pointing at a farm does not make it the current one', async () => {
    const { user, api } = renderApp('/');
    const card = await screen.findByRole('article', { name: 'Waihao Flats' });
    const link = card.querySelector('a[href^="/tanks"]');
    if (!link) throw new Error('The card has no link to its tanks');
    await user.hover(link);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(screen.getByRole('button', { name: /^Current farm: Rākaia Downs/ })).toBeTruthy();
    expect(api.calls('PUT /settings')).toHaveLength(0);
  });
});

/** Where opening a path leads; nothing is drawn. */
async function visit(path: string, as: ReturnType<typeof buildLogin> | null, api = new FakeApi()) {
  vi.stubGlobal('fetch', api.fetch);
  if (as) signIn(as);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter(createQueryClient({ retryDelayMs: 1 }), history);
  await router.load();
  const { matches, location } = router.state;
  return matches.some(({ error }) => isNotFound(error)) ? 'not there' : location.pathname;
}

const farm = rakaia._id;
const one = uid(500);
/** Every page about a farm with the one right that opens it. spec 1 §6 */
const guarded: [path: string, right: Flag | `${Resource} ${'Read' | 'Create' | 'Edit'}`][] = [
  ['/dashboard', 'dashboard'],
  [`/irr-diary-logs/view/${farm}`, 'dashboard'],
  ['/tanks', 'sprinklersStatus'],
  ['/group-status/FARM', 'sprinklersStatus'],
  [`/farm/${farm}`, 'farms Edit'],
  ...(
    [
      ['irrigation-devices', 'irrigation-device', 'irrigationDevices'],
      ['sensor-devices', 'sensor-device', 'sensors'],
      ['gateway-devices', 'gateway-device', 'gateways'],
      ['repeater-devices', 'repeater-device', 'repeaters'],
      ['pois', 'pois', 'pois'],
    ] as const
  ).flatMap(([list, form, resource]): typeof guarded => [
    [`/${list}/${farm}`, `${resource} Read`],
    [`/${form}/new/${farm}`, `${resource} Create`],
    [`/${form}/${farm}/${one}`, `${resource} Edit`],
  ]),
  [`/group/new/${farm}`, 'groups Create'],
  [`/group/${farm}/${one}`, 'groups Edit'],
  [`/group/devices-map/${farm}/${one}`, 'manageGroupDevices'],
  [`/group/devices-list/${farm}/${one}`, 'manageGroupDevices'],
];

/** Nothing but this right, or all but it. */
function only(right: string, isGiven: boolean): Permissions {
  const base = isGiven ? presets.none : ownerPermissions;
  const [name, level] = right.split(' ') as [Resource, keyof typeof levels | undefined];
  if (level === undefined) return { ...base, [name]: isGiven };
  return { ...base, [name]: isGiven ? levels[level] : base[name] & ~levels[level] };
}

describe('each page about a farm', () => {
  test.each(guarded)('%s is opened by %s, and by nothing else', async (path, right) => {
    const as = (isGiven: boolean) =>
      visit(path, buildLogin(), withRights(permissionsOn(rakaia, only(right, isGiven))));
    expect(await as(true)).toBe(path);
    expect(await as(false)).toBe('/403');
  });

  test.each(guarded)('%s is not there for people who are not signed in', async (path) => {
    expect(await visit(path, null)).toBe('not there');
  });
});

describe('pages about no farm', () => {
  const open = [
    '/',
    '/login/K43',
    '/confirm-email',
    '/undo-email',
    '/unsubscribe',
    '/a/7Kq2mX9cAbCd',
    '/invite',
    '/terms-of-use',
    '/privacy-policy',
    '/tlm',
    '/tlm/signup',
    '/tlm/add',
    '/barcode',
    '/barcode/0042',
  ];
  test.each(open)('%s is there for everybody', async (path) => {
    expect(await visit(path, null)).toBe(path);
    expect(await visit(path, buildLogin())).toBe(path);
  });

  test.each(['/login', '/forgot-password', '/reset-password', '/register/account-type'])(
    '%s is there for people who are not signed in; others go home',
    async (path) => {
      expect(await visit(path, null)).toBe(path);
      expect(await visit(path, buildLogin())).toBe('/');
    },
  );

  test.each([
    '/403',
    '/account-details',
    '/security',
    '/invitations',
    '/invitations/share/select',
    `/invitations/permissions/${one}`,
    '/mac/lookup',
    '/farm/new',
  ])('%s is there for people who are signed in', async (path) => {
    expect(await visit(path, null)).toBe('not there');
    expect(await visit(path, buildLogin(), withRights())).toBe(path);
  });

  test.each(['/invitations/share/select', `/invitations/permissions/${one}`])(
    '%s is for owners alone',
    async (path) => {
      expect(await visit(path, buildLogin({ type: 'AGENT' }))).toBe('/403');
    },
  );
});
