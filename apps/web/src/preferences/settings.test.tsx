import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { FakeApi, Failure, UNREACHABLE } from '../testing/fake-api.ts';
import { FakeSocket } from '../testing/fake-socket.ts';
import { mallee, waihao } from '../testing/fixtures.ts';
import { renderApp } from '../testing/render-app.tsx';
import { saveSettings } from './settings.queries.ts';

const home = async (api = new FakeApi()) => {
  const app = renderApp('/', { api });
  await screen.findByRole('button', { name: /^Current farm/ });
  return app;
};
const shows = (name: string) => screen.findByRole('button', { name: new RegExp(`^Current farm: ${name}`) });
/** With the settings open: what holds of one of them is seen at its switch. */
const open = async (api = new FakeApi()) => {
  const app = renderApp('/?settings=general', { api });
  await screen.findByRole('switch', { name: 'Display Spares' });
  return app;
};
const spares = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Display Spares' }).checked;
const showsSpares = (are: boolean) => waitFor(() => expect(spares()).toBe(are));
/** Until what has arrived is on the screen. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));

test('the first farm is the current one until another is chosen', async () => {
  await home();
  expect(await shows('Rākaia Downs')).toBeTruthy();
});

test('a chosen farm that one may no longer read gives way to the first', async () => {
  await home(new FakeApi().on('GET /settings', { data: { currFarm: 'f'.repeat(24) }, version: 6 }));
  expect(await shows('Rākaia Downs')).toBeTruthy();
});

test('changes hold at once and are stored together, with what was there before', async () => {
  const stored = { data: { displayPOI: false, soilSites: [{ id: 1 }] }, version: 6 };
  const { api, queryClient } = await open(new FakeApi().on('GET /settings', stored));
  act(() => {
    saveSettings(queryClient, { displaySpares: false });
    saveSettings(queryClient, { displaySpares: true });
    saveSettings(queryClient, { displayTooltips: false });
  });
  expect(api.calls('PUT /settings')).toHaveLength(0);
  await showsSpares(true);
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  expect(api.calls('PUT /settings')[0]?.body).toMatchObject({
    version: 6,
    data: { displaySpares: true, displayTooltips: false, displayPOI: false, soilSites: [{ id: 1 }] },
  });
});

test('are stored half a second after the last change', async () => {
  const { api, queryClient } = await home();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  act(() => saveSettings(queryClient, { displayTooltips: false }));
  await pass(400);
  act(() => saveSettings(queryClient, { displaySpares: true }));
  await pass(499);
  expect(api.calls('PUT /settings')).toHaveLength(0);
  await pass(1);
  expect(body(api, 0)).toMatchObject({ version: 6, data: { displayTooltips: false, displaySpares: true } });
});

test('an older document from the server does not undo what is being saved', async () => {
  const { queryClient } = await open();
  act(() => saveSettings(queryClient, { displaySpares: true }));
  act(() => FakeSocket.last.push({ type: 'settings', data: { data: { displaySpares: false }, version: 6 } }));
  await settled();
  expect(spares()).toBe(true);
});

test('that could not be saved are told, and what is stored holds again', async () => {
  const api = new FakeApi().on('PUT /settings', new Failure(503, 'Not ready.'));
  const { queryClient } = await open(api);
  act(() => saveSettings(queryClient, { displaySpares: true }));
  expect(await screen.findByText("Your settings couldn't be saved. Please try again.")).toBeTruthy();
  await showsSpares(false);
});

const changedElsewhere = (data: object) =>
  act(() => FakeSocket.last.push({ type: 'settings', data: { data: { ...data }, version: 6 } }));
const body = (api: FakeApi, nth: number) => api.calls('PUT /settings')[nth]?.body;

test('asking for the settings again does not undo what is being saved', async () => {
  const { queryClient } = await open();
  act(() => saveSettings(queryClient, { displaySpares: true }));
  await act(() => queryClient.refetchQueries({ queryKey: ['settings'] }));
  await settled();
  expect(spares()).toBe(true);
});

test('an answer that was asked for before the save, and comes after it, is not believed', async () => {
  const { api, queryClient } = await open();
  let answer: (stored: { data: object; version: number }) => void = () => undefined;
  api.on('GET /settings', () => new Promise((resolve) => (answer = resolve as never)));
  const late = queryClient.refetchQueries({ queryKey: ['settings'] });
  await waitFor(() => expect(api.calls('GET /settings')).toHaveLength(2));
  act(() => saveSettings(queryClient, { displaySpares: true }));
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  await settled();
  answer({ data: { displaySpares: false }, version: 6 });
  await act(() => late);
  await settled();
  expect(spares()).toBe(true);
});

test('a live message just after a save may be older than it: the server is asked', async () => {
  const { api, queryClient } = await open();
  act(() => saveSettings(queryClient, { displaySpares: true }));
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  await settled();
  api.on('GET /settings', { data: { displaySpares: true }, version: 6 });
  changedElsewhere({ displaySpares: false });
  await settled();
  expect(spares()).toBe(true);
  expect(api.calls('GET /settings')).toHaveLength(2);
});

test('what another browser saves is followed', async () => {
  await open();
  changedElsewhere({ displaySpares: true });
  await showsSpares(true);
});

test('what another browser saves while ours is on its way is saved with it', async () => {
  const { api, queryClient } = await home();
  let answer: () => void = () => undefined;
  api.on('PUT /settings', ({ body }) => new Promise((resolve) => (answer = () => resolve(body))));
  act(() => saveSettings(queryClient, { displayTooltips: false }));
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  changedElsewhere({ displaySpares: true });
  api.on('PUT /settings', ({ body }) => body);
  answer();
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(2));
  expect(body(api, 1)).toMatchObject({ data: { displayTooltips: false, displaySpares: true } });
});

test('two changes of different farms are both stored', async () => {
  const { api, queryClient } = await home();
  act(() => saveSettings(queryClient, { farms: [{ info: { id: waihao._id }, displayTankMap: false }] }));
  changedElsewhere({ farms: [{ info: { id: mallee._id }, displayIPCMap: false }] });
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  expect(body(api, 0)?.data.farms).toEqual([
    { info: { id: mallee._id }, displayIPCMap: false },
    { info: { id: waihao._id }, displayTankMap: false },
  ]);
});

test('a change made without a network is kept, over a reload too, and stored once it is back', async () => {
  const { api, queryClient } = await open(new FakeApi().on('PUT /settings', UNREACHABLE));
  act(() => saveSettings(queryClient, { displaySpares: true }));
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  await showsSpares(true);
  expect(screen.queryByText(/couldn't be saved/)).toBeNull();
  expect(JSON.parse(localStorage.getItem('headrace.settings-unsaved') ?? '')).toEqual({
    email: 'owner@headrace.test',
    patch: { displaySpares: true },
  });
  api.on('PUT /settings', ({ body }) => body);
  dispatchEvent(new Event('online'));
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(2));
  await waitFor(() => expect(localStorage.getItem('headrace.settings-unsaved')).toBeNull());
});

test('what an earlier visit could not store is stored at the next one', async () => {
  const kept = { email: 'owner@headrace.test', patch: { currFarm: waihao._id } };
  localStorage.setItem('headrace.settings-unsaved', JSON.stringify(kept));
  const { api } = await home();
  expect(await shows('Waihao Flats')).toBeTruthy();
  await waitFor(() => expect(body(api, 0)).toMatchObject({ data: { currFarm: waihao._id } }));
});

test('another person’s unsaved changes are left alone', async () => {
  const kept = { email: 'agent@headrace.test', patch: { currFarm: waihao._id } };
  localStorage.setItem('headrace.settings-unsaved', JSON.stringify(kept));
  await home();
  expect(await shows('Rākaia Downs')).toBeTruthy();
});

test('settings of an older version are brought up to date and stored once', async () => {
  const stored = { data: { currFarm: waihao._id, displaySpares: 'yes', note: 'mine' }, version: 2 };
  const { api } = await home(new FakeApi().on('GET /settings', stored));
  expect(await shows('Waihao Flats')).toBeTruthy();
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  expect(body(api, 0)).toEqual({
    version: 6,
    data: {
      currFarm: waihao._id,
      displayTooltips: true,
      displayPOI: true,
      displaySensors: true,
      displaySpares: false,
      showSpareReadyDialog: true,
      displayIPCMap: true,
      displayTankMap: true,
      note: 'mine',
    },
  });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(api.calls('PUT /settings')).toHaveLength(1);
});

test('settings of a newer version are not written over, and the dialog says so', async () => {
  const api = new FakeApi().on('GET /settings', { data: { currFarm: waihao._id }, version: 7 });
  const { user } = renderApp('/?settings=general', { api });
  expect(await screen.findByText(/stored by a newer version of Headrace/)).toBeTruthy();
  const spares = await screen.findByRole<HTMLInputElement>('switch', { name: 'Display Spares' });
  await user.click(spares);
  expect(spares.checked).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(api.calls('PUT /settings')).toHaveLength(0);
});
