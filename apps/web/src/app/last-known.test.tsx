import { act, screen, waitFor, within } from '@testing-library/react';
import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { get, createStore } from 'idb-keyval';
import { presets } from '@headrace/contract/permissions';
import type { TankSummary } from '@headrace/contract/tanks';
import { signOut } from '../api/session.ts';
import { buildCommand } from '../features/commands/command-fixtures.ts';
import { farmOfList } from '../features/devices/device-fixtures.ts';
import { buildMonitor } from '../features/gateway-io/gateway-io-fixtures.ts';
import { buildGateway } from '../features/gateways/gateway-fixtures.ts';
import { ago, buildTank } from '../testing/tank-fixtures.ts';
import { Failure, FakeApi } from '../testing/fake-api.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { buildLogin, farms, HOUR, MINUTE, nothingOn, permissionsOn, rakaia } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';
// Its code is there when the first test begins to wait.
import '../features/dashboard/dashboard-page.tsx';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});

const PAGE = `/dashboard?farm=${rakaia._id}`;
const tank = (value: number, over: Partial<TankSummary> = {}) =>
  buildTank(1, {
    level: { value, valueInLitres: value * 250, invalid: false },
    statusTime: ago(2 * HOUR),
    ...over,
  });
const online = (value = 62) =>
  new FakeApi()
    .on('GET /lvl/suminfo', { tanks: [tank(value)] })
    .on('GET /gateway/monitor', buildMonitor({ connected: true }))
    .on('GET /gateway/devices', { ...farmOfList, gateways: [buildGateway()] })
    .on('POST /commands/send', { commandId: buildCommand(1)._id, status: 'queued' });
/** Nothing answers. */
const noNetwork = () =>
  Object.assign(new FakeApi(), { fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
const goOffline = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
const kept = () => get('index', createStore('headrace-last-known', 'queries'));

/** The page is hidden: what is new is kept at once. */
function putAway() {
  const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  hidden.mockRestore();
}

/** A visit of the dashboard, after which the page is put away. */
async function visit(api = online(), as = buildLogin()) {
  const view = renderApp(PAGE, { api, as });
  const card = await screen.findByRole('article', { name: 'Tank 1' });
  await within(card).findByText(/62/);
  await screen.findByRole('switch', { name: 'Relay 1' });
  putAway();
  await waitFor(async () => expect(await kept()).toMatchObject({ email: as.email }));
  view.unmount();
}

describe('without a network', () => {
  test('the farm is shown as it was last known, with the age of its values, and since when', async () => {
    await visit();
    goOffline();
    renderApp(PAGE, { api: noNetwork() });
    const card = await screen.findByRole('article', { name: 'Tank 1' });
    expect(await within(card).findByText(/62/)).toBeTruthy();
    expect(within(card).getByText('2 h ago')).toBeTruthy();
    const banner = await screen.findByText('No internet connection.');
    expect(banner.parentElement?.textContent).toMatch(/^No internet connection\. Shown as of \d\d:\d\d\.$/);
    expect(screen.queryByText(/with nothing wrong/)).toBeNull();
    vi.restoreAllMocks();
  });

  test('a page that was never seen says that it could not be loaded', async () => {
    await visit();
    goOffline();
    renderApp(`/pois/${rakaia._id}`, { api: noNetwork() });
    expect(await screen.findByText(/couldn't be loaded/)).toBeTruthy();
    expect(await screen.findAllByRole('button', { name: /Retry/ })).not.toEqual([]);
    vi.restoreAllMocks();
  });

  test('a command says that it can’t go, and is not sent later', async () => {
    await visit();
    goOffline();
    const { user } = renderApp(PAGE, { api: noNetwork() });
    await user.click(await screen.findByRole('switch', { name: 'Relay 1' }));
    expect(
      await screen.findByText(
        "Server couldn't be reached. The command was not sent, and is not kept to be sent later.",
      ),
    ).toBeTruthy();
    vi.restoreAllMocks();
    const back = online(70);
    vi.stubGlobal('fetch', back.fetch);
    act(() => void dispatchEvent(new Event('online')));
    await waitFor(() => expect(screen.getByRole('article', { name: 'Tank 1' }).textContent).toMatch(/70/));
    expect(back.calls('POST /commands/send')).toEqual([]);
  });

  test('everything is asked for anew when it is back', async () => {
    await visit();
    goOffline();
    renderApp(PAGE, { api: noNetwork() });
    await screen.findByText('No internet connection.');
    vi.restoreAllMocks();
    vi.stubGlobal('fetch', online(70).fetch);
    act(() => FakeSocket.last.push({ type: 'app_version', data: { version: '1.6.0' } }));
    await waitFor(() => expect(screen.getByRole('article', { name: 'Tank 1' }).textContent).toMatch(/70/));
    await waitFor(() => expect(screen.queryByText('No internet connection.')).toBeNull());
  });
});

describe('while the server has no database', () => {
  const AWAY = 'The server has no connection to its database at the moment.';
  const body = JSON.stringify({ errorMessage: `${AWAY} Please try again soon.`, code: 'databaseAway' });
  const headers = { 'content-type': 'application/json' };
  /** So answers every call. */
  const withoutDatabase = () =>
    Object.assign(new FakeApi(), {
      fetch: () => Promise.resolve(new Response(body, { status: 503, headers })),
    });

  test('the farm is shown as it was last known, and the page asks by itself until it is back', async () => {
    await visit();
    renderApp(PAGE, { api: withoutDatabase() });
    const card = await screen.findByRole('article', { name: 'Tank 1' });
    await within(card).findByText(/62/);
    const banner = await screen.findByText(AWAY);
    expect(banner.parentElement?.textContent).toMatch(
      /^.*This page asks again by itself\. Shown as of \d\d:\d\d\.$/,
    );

    // A live word is none of the database.
    act(() => FakeSocket.last.push({ type: 'app_version', data: { version: '1.6.0' } }));
    expect(screen.getByText(AWAY)).toBeTruthy();
    vi.stubGlobal('fetch', online(70).fetch);
    const patient = { timeout: 20_000 };
    await waitFor(
      () => expect(screen.getByRole('article', { name: 'Tank 1' }).textContent).toMatch(/70/),
      patient,
    );
    // What else the page asked for may come later.
    await waitFor(() => expect(screen.queryByText(AWAY)).toBeNull(), patient);
  });

  test('a command says so, in the server’s words', async () => {
    await visit();
    const api = online().on(
      'POST /commands/send',
      new Failure(503, `${AWAY} Please try again soon.`, { code: 'databaseAway' }),
    );
    const { user } = renderApp(PAGE, { api });
    await user.click(await screen.findByRole('switch', { name: 'Relay 1' }));
    expect(await screen.findByText(`${AWAY} Please try again soon.`)).toBeTruthy();
  });
});

test('what the server was too busy for is asked for again by itself', async () => {
  vi.useFakeTimers({
    shouldAdvanceTime: true,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  const busy = new Failure(503, 'The server was too busy to answer in time. Please try again soon.', {
    code: 'busy',
  });
  const api = online().on('GET /lvl/suminfo', busy);
  renderApp(PAGE, { api });
  expect((await screen.findAllByText(/too busy to answer/)).length).toBeGreaterThan(0);
  api.on('GET /lvl/suminfo', { tanks: [tank(70)] });
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  await waitFor(() => expect(screen.getByRole('article', { name: 'Tank 1' }).textContent).toMatch(/70/));
  vi.useRealTimers();
});

describe('what is kept', () => {
  test('stays where the rights come later than the farm', async () => {
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const permissions = farms.map((farm) => permissionsOn(farm));
    const api = online().on('GET /permissions-list', () => told.then(() => ({ permissions })));
    const view = renderApp('/', { api });
    await waitFor(() => expect(view.queryClient.getQueryData(['farms-summary'])).toBeTruthy());
    putAway();
    tell();
    // What is new then is kept by itself; with it stays what came before. Until then it may be what the test before kept late.
    await waitFor(async () => {
      const text = JSON.stringify(await kept());
      expect(text).toContain('farms-card');
      expect(text).toContain('farms-summary');
    });
    view.unmount();
  });

  test('is of nobody who signs in after', async () => {
    await visit();
    goOffline();
    const as = buildLogin({ email: 'agent@headrace.test', token: 'token-of-agent' });
    renderApp(PAGE, { api: noNetwork(), as });
    await waitFor(async () => expect(await kept()).toBeUndefined());
    expect(screen.queryByRole('article', { name: 'Tank 1' })).toBeNull();
    vi.restoreAllMocks();
  });

  test('goes with signing out', async () => {
    await visit();
    expect(await kept()).toBeTruthy();
    renderApp('/', { api: online() });
    await screen.findByRole('article', { name: 'Rākaia Downs' });
    act(() => signOut('asked'));
    await waitFor(async () => expect(await kept()).toBeUndefined());
  });

  test.each([403, 404])('is not shown any more once the server says %d', async (status) => {
    await visit();
    goOffline();
    renderApp(PAGE, { api: noNetwork() });
    await screen.findByRole('article', { name: 'Tank 1' });
    vi.restoreAllMocks();
    vi.stubGlobal('fetch', online().on('GET /lvl/suminfo', new Failure(status, 'Not for you.')).fetch);
    act(() => FakeSocket.last.push({ type: 'app_version', data: { version: '1.6.0' } }));
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Tank 1' })).toBeNull());
  });

  test('goes where rights have changed since', async () => {
    await visit();
    const rights = [nothingOn(rakaia), ...farms.slice(1).map((farm) => permissionsOn(farm, presets.guest))];
    const view = renderApp('/', { api: online().on('GET /permissions-list', { permissions: rights }) });
    await screen.findByRole('article', { name: 'Waihao Flats' });
    putAway();
    await waitFor(async () => expect(JSON.stringify(await kept())).not.toContain(`tanks`));
    view.unmount();
  });

  test('is nothing of what staff look at', async () => {
    const api = online().on('GET /support/farms', { farms: [] });
    const view = renderApp(PAGE, { api, as: buildLogin({ isStaff: true }) });
    await screen.findByRole('article', { name: 'Tank 1' });
    putAway();
    await new Promise((resolve) => setTimeout(resolve, MINUTE / 600));
    expect(await kept()).toBeUndefined();
    view.unmount();
  });
});
