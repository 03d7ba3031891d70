import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IpcStatus } from '@headrace/contract/groups';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { rakaia, waihao } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import '../group-map/group-map-page.tsx';
import './sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildUnit } from '../group-map/group-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const before = buildUnit(9);
const spare = buildUnit(12);
/** As the farm has them after: the place keeps its name, and has the other unit. */
const after = { ...before, id: spare.id, serial: spare.serial, mac: spare.mac };
const takenOut = { ...spare, id: before.id, serial: before.serial, mac: before.mac, name: 'Spare' };
const message = '40012 took the place of 40009.';

async function open(units: IpcStatus[] = [after, takenOut]) {
  const api = new FakeApi().on('GET /group/units', buildGroup([before, spare]));
  const view = renderApp(`/group-status/FARM?ipc=${before.id}&tab=details`, { api });
  const dialog = within(await screen.findByRole('dialog', { name: /A9/ }));
  await waitFor(() => expect(FakeSocket.last.readyState).toBe(FakeSocket.OPEN));
  const shown = () => (view.router.state.location.search as { ipc?: string }).ipc;
  vi.useFakeTimers();
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const swap = async (farmUID: string = rakaia._id, success = true) => {
    api.on('GET /group/units', buildGroup(units));
    const of = ({ id, serial, mac }: IpcStatus) => ({ id, serial, mac });
    await act(async () =>
      FakeSocket.last.push({
        type: 'ipc_swap_result',
        data: { farmUID, success, from: of(before), to: of(spare), message },
      }),
    );
  };
  return { ...view, api, dialog, shown, pass, swap };
}

test('half a second after a swap the dialog is of the unit that took the place, on the same tab', async () => {
  const { router, dialog, shown, pass, swap } = await open();
  await swap();
  await pass(490);
  expect(shown()).toBe(before.id);
  expect(dialog.getByText(message)).toBeTruthy();
  await pass(20);
  expect(router.state.location.search).toMatchObject({ ipc: spare.id, tab: 'details' });
  expect(dialog.getByRole('heading', { name: /A9/ })).toBeTruthy();
  expect(dialog.getByText('40012')).toBeTruthy();
  expect(dialog.queryByText(message)).toBeNull();
});

test('it stays, and says what happened, until the page has the other unit', async () => {
  const { api, queryClient, dialog, shown, pass, swap } = await open([before]);
  await swap();
  await pass(2000);
  expect(shown()).toBe(before.id);
  expect(dialog.getByText(message)).toBeTruthy();
  api.on('GET /group/units', buildGroup([after, takenOut]));
  await act(() => queryClient.invalidateQueries({ queryKey: ['group-info'] }));
  await pass(10);
  expect(shown()).toBe(spare.id);
});

test.each([
  ['of another farm', waihao._id, true],
  ['that failed', rakaia._id, false],
])('a swap %s moves nothing', async (_, farmUID, success) => {
  const { shown, pass, swap } = await open();
  await swap(farmUID, success);
  await pass(1000);
  expect(shown()).toBe(before.id);
});

test('whoever went on to another unit meanwhile stays there, and may come back to the one that was taken out', async () => {
  const { router, shown, pass, swap } = await open([after, takenOut, buildUnit(20)]);
  await swap();
  const go = async (ipc: string) => {
    await act(() => router.navigate({ to: '.', search: ((now: object) => ({ ...now, ipc })) as never }));
    await pass(1000);
  };
  await go(buildUnit(20).id);
  expect(shown()).toBe(buildUnit(20).id);
  await go(before.id);
  expect(shown()).toBe(before.id);
});
