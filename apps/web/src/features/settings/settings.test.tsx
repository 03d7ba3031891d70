import { act, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeApi, Failure } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { mallee, waihao } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { saveSettings } from './settings.queries.ts';

const home = async (api = new FakeApi()) => {
  const app = renderApp('/', { api });
  await screen.findByRole('button', { name: /^Current farm/ });
  return app;
};
const shows = (name: string) => screen.findByRole('button', { name: new RegExp(`^Current farm: ${name}`) });

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
  const { api, queryClient } = await home(new FakeApi().on('GET /settings', stored));
  act(() => {
    saveSettings(queryClient, { currFarm: mallee._id });
    saveSettings(queryClient, { currFarm: waihao._id });
    saveSettings(queryClient, { displayTooltips: false });
  });
  expect(await shows('Waihao Flats')).toBeTruthy();
  expect(api.calls('PUT /settings')).toHaveLength(0);
  await waitFor(() => expect(api.calls('PUT /settings')).toHaveLength(1));
  expect(api.calls('PUT /settings')[0]?.body).toMatchObject({
    version: 6,
    data: { currFarm: waihao._id, displayTooltips: false, displayPOI: false, soilSites: [{ id: 1 }] },
  });
});

test('an older document from the server does not undo what is being saved', async () => {
  const { queryClient } = await home();
  act(() => saveSettings(queryClient, { currFarm: waihao._id }));
  act(() => FakeSocket.last.push({ type: 'settings', data: { data: { currFarm: mallee._id }, version: 6 } }));
  expect(await shows('Waihao Flats')).toBeTruthy();
});

test('that could not be saved are told, and what is stored holds again', async () => {
  const api = new FakeApi().on('PUT /settings', new Failure(503, 'Not ready.'));
  const { queryClient } = await home(api);
  act(() => saveSettings(queryClient, { currFarm: waihao._id }));
  expect(await screen.findByText("Your settings couldn't be saved. Please try again.")).toBeTruthy();
  expect(await shows('Rākaia Downs')).toBeTruthy();
});
