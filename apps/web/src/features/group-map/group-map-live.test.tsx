import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { IpcStatus } from '@headrace/contract/groups';
import type { ClientFrame, RecordsUpdate, StatusUpdate } from '@headrace/contract/live';
import { conditions } from '@headrace/contract/rules/condition';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { MarkerLayer } from '../../map/marker-layer.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { MINUTE, rakaia, waihao } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import './group-map-page.tsx';
import './other-popup.tsx';
import '../sprinkler-dialog/sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { type MapGroup, toMapGroup } from './map-group.ts';
import { buildGroup, buildUnit } from './group-fixtures.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  stubCanvas();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const heardAt = Date.now() - 10 * MINUTE;
const well = buildUnit(1, { statustime: heardAt });
const lost = buildUnit(3, {
  condition: conditions.outOfContact,
  isOutOfContact: true,
  statustime: heardAt,
});
const units = [well, buildUnit(2), lost];
const back: IpcStatus = { ...lost, condition: conditions.ok, isOutOfContact: false, statustime: Date.now() };

async function open(path = '/group-status/FARM') {
  const api = new FakeApi().on('GET /group/units', buildGroup(units));
  const drawn = vi.spyOn(MarkerLayer.prototype, 'setMarkers');
  const view = renderApp(path, { api });
  await screen.findByRole('link', { name: /A1/ });
  await waitFor(() => expect(drawn.mock.lastCall?.[0]).toHaveLength(3));
  vi.setTimerTickMode('manual');
  return { ...view, api, drawn, asked: () => api.calls('GET /group/units').length };
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const tell = (ipc: IpcStatus, farmUID = rakaia._id) =>
  act(() => FakeSocket.last.push({ type: 'ipc_status_update', data: { farmUID, ipc } }));
const tellOf = (type: StatusUpdate['type']) =>
  act(() =>
    FakeSocket.last.push({
      type: 'status_update',
      data: { type, farmUID: rakaia._id, uid: lost.id, serialNumber: '', updatedAt: '2026-11-21T09:00:00Z' },
    }),
  );
const outOfContact = () => screen.getByRole('button', { name: /Out of Contact/ }).textContent;

const known = (of: IpcStatus[]) => toMapGroup(buildGroup(of)) as MapGroup;

describe('what a sprinkler says live', () => {
  test('is shown in the list, its details, the counts and its marker alone, with nothing asked for', async () => {
    const { asked, drawn } = await open(`/group-status/FARM?ipc=${lost.id}`);
    const dialog = within(screen.getByRole('dialog', { name: /A3/ }));
    expect(dialog.getByRole('img', { name: 'Out of contact' })).toBeTruthy();
    expect(outOfContact()).toBe('1Out of Contact');
    const before = drawn.mock.lastCall?.[0] ?? [];
    tellOf('ipc');
    tell(back);
    await pass(300);
    expect(outOfContact()).toBe('0Out of Contact');
    expect(screen.getByRole('link', { name: /40003/ }).textContent).not.toContain('Out of contact');
    expect(dialog.getByRole('img', { name: 'OK' })).toBeTruthy();
    const after = drawn.mock.lastCall?.[0] ?? [];
    expect(after[2]?.spoken).toBe('Sprinkler A3, ok');
    expect(after.filter((marker, n) => marker !== before[n])).toHaveLength(1);
    await pass(10_000);
    expect(asked()).toBe(1);
  });

  test('is beside what a person wants of it, from the tap on until it has said so', async () => {
    const { drawn, asked } = await open(`/group-status/FARM?ipc=${well.id}`);
    const stop = (since: number | null) =>
      act(() =>
        FakeSocket.last.push({
          type: 'ipc_stops',
          data: { farmUID: rakaia._id, since, units: [well.id, lost.id] },
        }),
      );
    const row = () => screen.getByRole('link', { name: /40001/ }).textContent;
    const marked = () => drawn.mock.lastCall?.[0].map(({ isStopAwaited }) => isStopAwaited === true);
    const text = 'To be inhibited, has not said so yet';
    stop(Date.now());
    await pass(300);
    expect(row()).toContain(text);
    expect(marked()).toEqual([true, false, true]);
    expect(within(screen.getByRole('dialog', { name: /A1/ })).getByRole('img', { name: text })).toBeTruthy();
    tell({ ...well, stopWanted: 1, isInhibited: true, condition: conditions.inhibited });
    await pass(300);
    expect(row()).not.toContain(text);
    expect(marked()).toEqual([false, false, true]);
    stop(null);
    await pass(300);
    expect(marked()).toEqual([false, false, false]);
    expect(asked()).toBe(1);
  });

  test('leaves the others the same objects, in each group that holds it', async () => {
    const { queryClient } = await open('/group-status/North');
    const farm = known([well, lost]);
    queryClient.setQueryData(['group-info', rakaia._id, 'FARM'], farm);
    const elsewhere = known([lost]);
    queryClient.setQueryData(['group-info', waihao._id, 'FARM'], elsewhere);
    const info = (of: string, name: string) =>
      queryClient.getQueryData<MapGroup>(['group-info', of, name]) as MapGroup;
    const north = info(rakaia._id, 'North');
    tell(back);
    await pass(300);
    expect(info(rakaia._id, 'North').ipcs[2]).toEqual(back);
    expect(info(rakaia._id, 'North').ipcs[1]).toBe(north.ipcs[1]);
    expect(info(rakaia._id, 'FARM')).toMatchObject({ ipcsOOC: 0, numberOfIpcs: 2, ipcs: [well, back] });
    expect(info(rakaia._id, 'FARM').ipcs[0]).toBe(farm.ipcs[0]);
    expect(info(waihao._id, 'FARM')).toBe(elsewhere);
  });

  test('changes nothing when it is older than what is shown', async () => {
    const { asked } = await open();
    tell({ ...back, statustime: heardAt - MINUTE });
    await pass(10_000);
    expect(outOfContact()).toBe('1Out of Contact');
    expect(asked()).toBe(1);
  });

  test('stands against an answer that was on its way before it', async () => {
    const { api, asked } = await open();
    let arrive = (_group: ReturnType<typeof buildGroup>): void => undefined;
    api.on('GET /group/units', () => new Promise((resolve) => void (arrive = resolve)));
    tellOf('gateway');
    await pass(300);
    expect(asked()).toBe(2);
    tell(back);
    await pass(300);
    expect(outOfContact()).toBe('0Out of Contact');
    arrive(buildGroup(units));
    await pass(600);
    expect(outOfContact()).toBe('0Out of Contact');
  });

  test('takes no edit back that an answer brought since, of the same status; a stop that it told stays', async () => {
    const { api, drawn } = await open();
    let arrive = (_group: ReturnType<typeof buildGroup>): void => undefined;
    api.on('GET /group/units', () => new Promise((resolve) => void (arrive = resolve)));
    tellOf('gateway');
    await pass(300);
    tell(back);
    act(() =>
      FakeSocket.last.push({
        type: 'ipc_stops',
        data: { farmUID: rakaia._id, since: Date.now(), units: [lost.id] },
      }),
    );
    await pass(300);
    arrive(buildGroup([...units.slice(0, 2), { ...back, name: 'Moved' }]));
    await pass(600);
    expect(screen.getByRole('link', { name: /Moved/ })).toBeTruthy();
    expect(screen.queryByRole('link', { name: /A3/ })).toBeNull();
    expect(drawn.mock.lastCall?.[0].map(({ isStopAwaited }) => isStopAwaited === true)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('is all that is asked for by the minute: what changed since, and all again where a unit has left', async () => {
    const { api } = await open();
    const sinces = () => api.calls('GET /group/units').map(({ query }) => query.since);
    const [first] = units;
    api.on('GET /group/units', {
      ...buildGroup([{ ...lost, ...back }]),
      version: 'test.2',
      isWhole: false,
      total: units.length,
    });
    await pass(MINUTE + 1000);
    expect(sinces()).toEqual([undefined, 'test.1']);
    expect(outOfContact()).toBe('0Out of Contact');
    api.on('GET /group/units', ({ query }) =>
      query.since === undefined
        ? buildGroup([first as IpcStatus])
        : { ...buildGroup([]), version: 'test.3', isWhole: false, total: 1 },
    );
    await pass(MINUTE + 1000);
    expect(sinces()).toEqual([undefined, 'test.1', 'test.2', undefined]);
    expect(screen.getByRole('button', { name: /In Service/ }).textContent).toBe('1In Service');
  });

  test('of a unit that the farm did not have asks for the farm', async () => {
    const stranger = buildUnit(9);
    const { api, asked } = await open();
    api.on('GET /group/units', buildGroup([...units, stranger]));
    tell(stranger, waihao._id);
    await pass(1000);
    expect(asked()).toBe(1);
    tell(stranger);
    await pass(1000);
    expect(asked()).toBe(2);
    expect(screen.getByRole('link', { name: /A9/ })).toBeTruthy();
  });

  test('outside the group that is shown asks for nothing', async () => {
    const { asked } = await open('/group-status/North');
    tell(buildUnit(9));
    await pass(10_000);
    expect(asked()).toBe(1);
  });
});

describe('the whole group', () => {
  test('is asked for on news of gateways and repeaters, at most every 5 seconds', async () => {
    const { asked } = await open();
    tellOf('gateway');
    tellOf('repeater');
    await pass(1000);
    expect(asked()).toBe(2);
    tellOf('gateway');
    await pass(3000);
    expect(asked()).toBe(2);
    await pass(2000);
    expect(asked()).toBe(3);
  });

  test('is asked for once a minute while it is seen, however much its sprinklers say', async () => {
    const { asked } = await open();
    // It has been open for as long as it took to load.
    for (let second = 0; second < 45; second += 1) {
      tell({ ...back, statustime: back.statustime + second });
      await pass(1000);
    }
    expect(asked()).toBe(1);
    await pass(16_000);
    expect(asked()).toBe(2);
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await pass(180_000);
    expect(asked()).toBe(2);
    seen.mockReturnValue('visible');
    await pass(60_000);
    expect(asked()).toBe(3);
  });
});

describe('what somebody else changed', () => {
  const change = (data: RecordsUpdate) => act(() => FakeSocket.last.push({ type: 'records_update', data }));

  test('of the farm is asked for at once: a new name, a unit more, one less', async () => {
    const { api, asked } = await open(`/group-status/FARM?ipc=${lost.id}`);
    const renamed = { ...lost, name: 'Renamed' };
    api.on('GET /group/units', buildGroup([well, renamed, buildUnit(9)]));
    change({ farmUID: rakaia._id, kinds: ['sprinkler'] });
    await pass(300);
    expect(asked()).toBe(2);
    expect(screen.getByRole('dialog', { name: /Renamed/ })).toBeTruthy();
    expect(screen.getByRole('link', { name: /A9/ })).toBeTruthy();
    expect(screen.queryByRole('link', { name: /A2/ })).toBeNull();
    change({ farmUID: rakaia._id, kinds: ['group', 'poi'] });
    await pass(300);
    expect(asked()).toBe(3);
  });

  test('when the group is deleted or renamed its page says that there is none of its name', async () => {
    const { api } = await open('/group-status/North');
    api.on('GET /group/units', new Failure(404, 'There is no group of this name.'));
    change({ farmUID: rakaia._id, kinds: ['group'] });
    await pass(300);
    expect(
      screen.getByText('Rākaia Downs has no group North. It may have been renamed or deleted.'),
    ).toBeTruthy();
  });

  test('of another farm is not asked for', async () => {
    const { asked } = await open();
    change({ farmUID: waihao._id, kinds: ['sprinkler', 'group'] });
    await pass(10_000);
    expect(asked()).toBe(1);
  });
});

describe('the server', () => {
  const watches = () =>
    FakeSocket.last.sent.filter((frame) => (frame as ClientFrame).type === 'watch').slice(-1);
  const watch = (sprinklers: boolean) => [{ type: 'watch', data: { farmUID: rakaia._id, sprinklers } }];
  const go = (router: Awaited<ReturnType<typeof open>>['router'], to: string) =>
    act(() => router.navigate({ to }));

  test('tells of sprinklers while the map is open, and as long after it as it is shown again unasked', async () => {
    const { router, asked } = await open();
    expect(watches()).toEqual(watch(true));
    await go(router, '/');
    await pass(29_000);
    expect(watches()).toEqual(watch(true));
    tell(back);
    await go(router, '/group-status/FARM');
    await pass(300);
    expect(outOfContact()).toBe('0Out of Contact');
    await go(router, '/');
    await pass(29_000);
    const before = asked();
    await pass(1_000);
    expect(watches()).toEqual(watch(false));
    await go(router, '/group-status/FARM');
    await pass(300);
    expect(watches()).toEqual(watch(true));
    expect(asked()).toBe(before + 1);
  });
});
