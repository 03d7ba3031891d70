import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api } from '@headrace/contract/api';
import { FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { noSprinklers, rakaia, waihao } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import './group-map-page.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { buildGroup, buildUnit } from './group-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

type Counts = Api['GET /ipc/status']['reply'];
const before: Counts = { ...noSprinklers, ok: 3, total: 4, failed: 1 };
const after: Counts = { ...before, ok: 4, failed: 0 };
const tell = (counts: Counts, farmUID: string) =>
  act(() =>
    FakeSocket.last.push({ type: 'ipc_counts', data: { farmUID, at: '2026-11-21T05:00:00.000Z', counts } }),
  );
const shown = async () => (await screen.findByRole('list', { name: 'Sprinklers by status' })).textContent;
const countsText = ({ ok, failed }: Counts) =>
  `${ok}Healthy0Attention${failed}Offline0Inhibited0Active4Total`;

test('counts that the server tells are shown without a call; those of another farm are not', async () => {
  const api = new FakeApi().on('GET /ipc/status', before);
  renderApp('/dashboard', { api });
  await waitFor(async () => expect(await shown()).toBe(countsText(before)));
  const asked = api.calls('GET /ipc/status').length;
  tell({ ...after, ok: 99 }, waihao._id);
  tell(after, rakaia._id);
  await waitFor(async () => expect(await shown()).toBe(countsText(after)));
  expect(api.calls('GET /ipc/status')).toHaveLength(asked);
});

test('an answer that was on its way before the counts does not take their place', async () => {
  let answer = (_counts: Counts): void => undefined;
  const api = new FakeApi().on('GET /ipc/status', () => new Promise((resolve) => void (answer = resolve)));
  renderApp('/dashboard', { api });
  await waitFor(() => expect(api.calls('GET /ipc/status').length).toBeGreaterThan(0));
  await waitFor(() => expect(FakeSocket.all.length).toBeGreaterThan(0));
  tell(after, rakaia._id);
  await waitFor(async () => expect(await shown()).toBe(countsText(after)));
  answer(before);
  await act(() => Promise.resolve());
  expect(await shown()).toBe(countsText(after));
});

test('units that come together are each put into the map', async () => {
  const api = new FakeApi();
  const { queryClient } = renderApp('/dashboard', { api });
  await waitFor(() => expect(FakeSocket.all.length).toBeGreaterThan(0));
  const heardAt = Date.now() - 60_000;
  const units = [1, 2, 3].map((n) => buildUnit(n, { statustime: heardAt, charge: 80 }));
  const key = ['group-info', rakaia._id, 'FARM'];
  queryClient.setQueryData(key, { ipcs: units });
  const newer = units.slice(0, 2).map((unit) => ({ ...unit, statustime: Date.now(), charge: 40 }));
  act(() =>
    FakeSocket.last.push({
      type: 'ipc_status_batch',
      data: { farmUID: rakaia._id, at: '2026-11-21T05:00:00.000Z', units: newer },
    }),
  );
  await waitFor(() =>
    expect(
      queryClient.getQueryData<{ ipcs: { charge: number }[] }>(key)?.ipcs.map(({ charge }) => charge),
    ).toEqual([40, 40, 80]),
  );
});

test('counts from before units said something on the map are asked for again on the dashboard', async () => {
  const heardAt = Date.now() - 60_000;
  const units = [buildUnit(1, { statustime: heardAt, charge: 80 })];
  const api = new FakeApi().on('GET /ipc/status', before).on('GET /group/units', buildGroup(units));
  const { queryClient, router } = renderApp('/dashboard', { api });
  await waitFor(async () => expect(await shown()).toBe(countsText(before)));
  const map = { to: '/group-status/$name', params: { name: 'FARM' }, search: { farm: rakaia._id } } as const;
  await act(() => router.navigate(map));
  const key = ['group-info', rakaia._id, 'FARM'];
  await waitFor(() => expect(queryClient.getQueryData(key)).toBeTruthy());
  api.on('GET /ipc/status', after);
  const ipc = buildUnit(1, { statustime: Date.now(), charge: 40 });
  act(() => FakeSocket.last.push({ type: 'ipc_status_update', data: { farmUID: rakaia._id, ipc } }));
  await waitFor(() =>
    expect(queryClient.getQueryData<{ ipcs: { charge: number }[] }>(key)?.ipcs[0]?.charge).toBe(40),
  );
  await act(() => router.navigate({ to: '/dashboard', search: { farm: rakaia._id } }));
  await waitFor(async () => expect(await shown()).toBe(countsText(after)));
});
