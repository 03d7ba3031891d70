import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { buildAlertRecord, buildIncidentPage } from '../features/alerts/alert-fixtures.ts';
import { buildCommand, buildDetails } from '../features/commands/command-fixtures.ts';
import { farmOfList } from '../features/devices/device-fixtures.ts';
import { buildMonitor } from '../features/gateway-io/gateway-io-fixtures.ts';
import { buildGateway } from '../features/gateways/gateway-fixtures.ts';
import { FakeApi } from '../testing/fake-api.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { nothingOn, permissionsOn, rakaia, waihao } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';

const counted = { told: 0, short: 0, byHold: [], tried: 0, of: 0, heard: 0, since: null, chart: null };
const noTrial = { isPossible: false, ...counted };
const quietAlerts = () =>
  new FakeApi()
    .on('GET /alerts', { alerts: [], paused: null, pausedDevices: [], inBellAlone: false })
    .on('POST /alert/trial', noTrial)
    .on('GET /alert/people', { people: [] })
    .on('GET /alert/lately', { days: [], incidents: 0, short: 0, answered: 0, loudest: [] })
    .on('GET /alert/devices', { devices: [] })
    .on('GET /alert/incidents', buildIncidentPage([]));
const farmButton = (name: string) =>
  screen.findByRole('button', { name: new RegExp(`^Current farm: ${name}`) });
/** The same account opens Waihao in another browser: the server tells this one. */
const otherBrowserOpensWaihao = (more: object = {}) =>
  act(async () =>
    FakeSocket.last.push({
      type: 'settings',
      data: { data: { currFarm: waihao._id, ...more }, version: 6 },
    }),
  );
const watched = () => FakeSocket.last.sent.filter((frame) => JSON.stringify(frame).includes('"watch"'));

describe('another browser of the account goes to another farm', () => {
  test.each([
    ['with the farm in its address', `/dashboard?farm=${rakaia._id}`],
    ['without', '/dashboard'],
    ['with a map', '/tanks'],
    ['about no farm', '/mac/lookup'],
  ])('a page %s stays with its own', async (_what, path) => {
    const { router } = renderApp(path);
    await farmButton('Rākaia Downs');
    await waitFor(() => expect(router.state.status).toBe('idle'));
    await waitFor(() => expect(watched()).toHaveLength(1));
    const here = router.state.location.href;
    await otherBrowserOpensWaihao();
    expect(await farmButton('Rākaia Downs')).toBeTruthy();
    expect(router.state.location.href).toBe(here);
    expect(watched()).toHaveLength(1);
  });

  test('an open editor keeps what is typed, and a relay is switched on the farm that is shown', async () => {
    const command = buildCommand(1, { type: 24, title: 'Switch Relay', state: 'queued' });
    const cards = [rakaia, waihao].map(({ _id: id }) => ({
      info: { id },
      dashboard: { cards: [{ type: 'IO' as const, visible: true }] },
    }));
    const api = new FakeApi()
      .on('GET /settings', { data: { farms: cards, currFarm: rakaia._id }, version: 6 })
      .on('GET /gateway/monitor', buildMonitor())
      .on('GET /gateway/devices', { ...farmOfList, gateways: [buildGateway()] })
      .on('POST /commands/send', { commandId: command._id, status: 'queued' })
      .on('GET /command', buildDetails(command));
    const { user } = renderApp(`/dashboard?farm=${rakaia._id}`, { api });
    await user.click(await screen.findByRole('button', { name: 'Edit labels' }));
    const label = await screen.findByRole('textbox', { name: /^Input 6/ });
    await user.type(label, ' x');
    await otherBrowserOpensWaihao({ farms: cards });
    expect(screen.getByRole('textbox', { name: /^Input 6/ })).toHaveProperty('value', 'Input 6 x');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await user.click(await screen.findByRole('switch', { name: 'Relay 1' }));
    const sent = () => api.calls('POST /commands/send').map(({ body }) => [body.type, body.farmUID]);
    await waitFor(() => expect(sent()).toContainEqual([24, rakaia._id]));
    expect(sent().map(([, farm]) => farm)).not.toContain(waihao._id);
    expect(api.calls('GET /gateway/monitor').map(({ query }) => query.farmUID)).not.toContain(waihao._id);
  });

  test('the next page without a farm in its address is about this one too', async () => {
    const { router } = renderApp(`/dashboard?farm=${rakaia._id}`);
    await farmButton('Rākaia Downs');
    await otherBrowserOpensWaihao();
    await act(() => router.navigate({ to: '/mac/lookup' }));
    await act(() => router.navigate({ to: '/tanks' }));
    await waitFor(() => expect(router.state.location.search).toEqual({ farm: rakaia._id }));
  });

  test('what else it changed holds, and the next visit begins there', async () => {
    const first = renderApp('/');
    await farmButton('Rākaia Downs');
    first.unmount();
    const api = new FakeApi().on('GET /settings', { data: { currFarm: waihao._id }, version: 6 });
    const { router } = renderApp('/dashboard', { api });
    await farmButton('Waihao Flats');
    await waitFor(() => expect(router.state.location.search).toEqual({ farm: waihao._id }));
  });
});

describe('an address', () => {
  test('without a farm is given the current one, and keeps the rest', async () => {
    const { router } = renderApp('/dashboard?headlines=edit#card-Flow');
    await waitFor(() =>
      expect(router.state.location.search).toEqual({ farm: rakaia._id, headlines: 'edit' }),
    );
    expect(router.state.location.hash).toBe('card-Flow');
    expect(router.history.length).toBe(1);
  });

  test.each([
    ['/alerts', `/alerts?farm=${waihao._id}`],
    ['/alerts/new', `/alerts/new?farm=${waihao._id}`],
    ['/', `/?t=g&f=${waihao._id}`],
  ])('%s of another farm than the one before is headed by its own', async (_what, path) => {
    const { router } = renderApp(`/dashboard?farm=${rakaia._id}`, { api: quietAlerts() });
    await farmButton('Rākaia Downs');
    await act(() => router.navigate({ href: path }));
    expect(await farmButton('Waihao Flats')).toBeTruthy();
    await waitFor(() => expect(router.state.location.href).toBe(path));
  });

  test('of one alert says which farm it is about as soon as that is known', async () => {
    const alert = buildAlertRecord(1, waihao._id);
    renderApp(`/alerts/${alert._id}`, { api: quietAlerts().on('GET /alert', alert) });
    expect(await farmButton('Waihao Flats')).toBeTruthy();
  });

  test('of alerts without a farm is that of the first farm whose alerts one is told of', async () => {
    const rows = [nothingOn(rakaia), permissionsOn(waihao)];
    const api = quietAlerts().on('GET /permissions-list', { permissions: rows });
    const { router } = renderApp('/alerts', { api });
    expect(await farmButton('Waihao Flats')).toBeTruthy();
    expect(router.state.location.search).toEqual({ farm: waihao._id });
    expect(await screen.findByRole('link', { name: 'New alert' })).toBeTruthy();
  });

  test('of a farm that opens slowly leaves the page before with its own farm until then', async () => {
    const { router } = renderApp(`/dashboard?farm=${rakaia._id}`);
    await farmButton('Rākaia Downs');
    await act(() => router.navigate({ to: '/dashboard', search: { farm: waihao._id } }));
    expect(await farmButton('Waihao Flats')).toBeTruthy();
    act(() => router.history.back());
    expect(await farmButton('Rākaia Downs')).toBeTruthy();
  });

  test('of a farm that forbids it: the page that says so names that farm', async () => {
    const rows = [permissionsOn(rakaia, presets.guest), nothingOn(waihao)];
    renderApp(`/dashboard?farm=${waihao._id}`, {
      api: new FakeApi().on('GET /permissions-list', { permissions: rows }),
    });
    expect(await screen.findByText('The current farm is Waihao Flats.')).toBeTruthy();
  });
});
