import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { RecordKind } from '@headrace/contract/live';
import { presets } from '@headrace/contract/permissions';
import { Failure, UNREACHABLE } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildIpc, deviceApi, farmUID, pumpGroup, riverGroup, unitList } from '../devices/device-fixtures.ts';

const PATH = `/irrigation-devices/${farmUID}`;
const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);
const names = () => rows().map((row) => within(row).getByRole('link').textContent);
const farm = [
  buildIpc(1, { groups: [pumpGroup] }),
  buildIpc(2, { charge: 31, groups: [riverGroup] }),
  buildIpc(10, { statusTime: 0 }),
  buildIpc(3, { isSpareUnit: true, spareStatus: 3, spareReasons: ['battery below 70%'] }),
  buildIpc(4, { outOfService: true, isPlaceholder: true, lat: null, lng: null }),
  buildIpc(5, { statusTime: Date.now() - 31 * 24 * HOUR }),
];

describe('the list of sprinklers', () => {
  test('shows what somebody else changed as soon as the server says so, and asks for nothing that stays', async () => {
    const api = deviceApi({ ipcs: farm });
    renderApp(PATH, { api });
    await screen.findByRole('table', { name: 'Sprinklers' });
    const change = (kinds: RecordKind[]) =>
      act(() => FakeSocket.last.push({ type: 'records_update', data: { farmUID, kinds } }));
    const asked = () => api.calls('GET /irrigation/units').length;
    change(['poi', 'repeater']);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(asked()).toBe(1);
    const renamed = farm.map((ipc) => (ipc.name === 'A1' ? { ...ipc, name: 'B1' } : ipc));
    api.on('GET /irrigation/units', unitList(renamed));
    change(['sprinkler']);
    await waitFor(() => expect(names()).toEqual(['A2', 'A3', 'A4', 'A5', 'A10', 'B1']));
    expect(asked()).toBe(2);
  });

  test('after the first time asks for what changed, and for all once some are gone', async () => {
    const api = deviceApi({ ipcs: farm });
    renderApp(PATH, { api });
    await screen.findByRole('table', { name: 'Sprinklers' });
    const change = () =>
      act(() => FakeSocket.last.push({ type: 'records_update', data: { farmUID, kinds: ['sprinkler'] } }));
    const [a1] = farm.map((ipc) => ({ ...ipc, name: 'B1' }));
    api.on('GET /irrigation/units', { ...unitList([a1!], 'run.2'), isWhole: false, total: farm.length });
    change();
    await waitFor(() => expect(names()).toEqual(['A2', 'A3', 'A4', 'A5', 'A10', 'B1']));
    api.on('GET /irrigation/units', ({ query }) =>
      query.since === undefined
        ? unitList(farm.slice(1), 'run.3')
        : { ...unitList([], 'run.3'), isWhole: false, total: farm.length - 1 },
    );
    change();
    await waitFor(() => expect(names()).toEqual(['A2', 'A3', 'A4', 'A5', 'A10']));
    const since = api.calls('GET /irrigation/units').map(({ query }) => query?.['since']);
    expect(since).toEqual([undefined, 'run.1', 'run.2', undefined]);
  });

  test('is in the order people count, each with how it is', async () => {
    renderApp(PATH, { api: deviceApi({ ipcs: farm }) });
    await screen.findByRole('table', { name: 'Sprinklers' });
    expect(names()).toEqual(['A1', 'A2', 'A3', 'A4', 'A5', 'A10']);
    const texts = rows().map((row) => within(row).getAllByRole('cell')[2]?.textContent);
    expect(texts).toEqual([
      'OK',
      'Low battery',
      'Spare, Not Ready',
      'Placeholder',
      'Out of contact',
      'Never contacted',
    ]);
    expect(screen.getByText('6 sprinklers')).toBeTruthy();
  });

  test('finds as one types, by name, serial number and MAC, and keeps that in its address', async () => {
    const { user, router } = renderApp(PATH, { api: deviceApi({ ipcs: farm }) });
    const search = await screen.findByRole('searchbox', { name: 'Search sprinklers' });
    await user.type(search, 'ipc10003');
    expect(names()).toEqual(['A3']);
    expect(screen.getByText('1 of 6 sprinklers')).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toMatchObject({ q: 'ipc10003' }));
    await user.clear(search);
    await user.type(search, '0004a300000a');
    expect(names()).toEqual(['A10']);
    await user.type(search, 'x');
    expect(screen.getByText('No sprinkler matches.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show all' }));
    expect(names()).toHaveLength(6);
  });

  test.each([
    ['outcomm', ['A5', 'A10']],
    ['low-battery', ['A2']],
    ['spares', ['A3']],
    ['out-of-service', ['A4']],
    ['locationless', ['A4']],
    ['in-service', ['A1', 'A2', 'A5', 'A10']],
  ])('shows under %s only those', async (show, expected) => {
    renderApp(`${PATH}?show=${show}`, { api: deviceApi({ ipcs: farm }) });
    await screen.findByRole('table');
    expect(names()).toEqual(expected);
  });

  test('is narrowed to a group and turned round by a column', async () => {
    const { user, router } = renderApp(PATH, { api: deviceApi({ ipcs: farm }) });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Group' }), 'River');
    await waitFor(() => expect(names()).toEqual(['A2']));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Any group');
    await user.click(screen.getByRole('button', { name: /^Name/ }));
    await waitFor(() => expect(names()[0]).toBe('A10'));
    expect(screen.getByRole('columnheader', { name: /Name/ }).getAttribute('aria-sort')).toBe('descending');
    expect(router.state.location.search).toMatchObject({ sort: '-name' });
  });

  test('draws of five thousand only those in sight, and says how many there are', async () => {
    const ipcs = Array.from({ length: 5000 }, (_none, n) => buildIpc(n + 1));
    renderApp(PATH, { api: deviceApi({ ipcs }) });
    const table = await screen.findByRole('table');
    expect(table.getAttribute('aria-rowcount')).toBe('5001');
    expect(rows().length).toBeLessThan(60);
    expect(screen.getByText('5,000 sprinklers')).toBeTruthy();
  });

  test('says what to do on a farm without any', async () => {
    renderApp(PATH, { api: deviceApi() });
    expect(await screen.findByText('No sprinklers yet.')).toBeTruthy();
    expect(screen.getAllByRole('link', { name: 'Add sprinkler' })[0]?.getAttribute('href')).toBe(
      `/irrigation-device/new/${farmUID}`,
    );
  });

  test('that fails is asked for again', async () => {
    const api = deviceApi({ ipcs: farm });
    api.on('GET /irrigation/units', new Failure(403, 'Not now.'));
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText("The sprinklers couldn't be loaded")).toBeTruthy();
    api.on('GET /irrigation/units', unitList(farm));
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeTruthy();
  });

  test('of people who may only read has neither links nor choices', async () => {
    const api = deviceApi({ ipcs: farm });
    api.on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] });
    renderApp(PATH, { api });
    await screen.findByRole('table');
    expect(screen.queryByRole('link', { name: 'A1' })).toBeNull();
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Add sprinkler' })).toBeNull();
  });

  test('of a farm that one may not read, or of no id, is not there', async () => {
    renderApp(`/irrigation-devices/${uid(77)}`, { api: deviceApi() });
    expect(await screen.findByText("Sorry, we couldn't find what you're looking for.")).toBeTruthy();
  });
});

describe('several sprinklers', () => {
  test('get another gateway or become spares, after saying for how many that is a change', async () => {
    const api = deviceApi({ ipcs: [buildIpc(1), buildIpc(2, { gatewayUID: null })] });
    api.on('POST /ipc/bulk-edit', ({ body }) => ({ updated: body.deviceIds.length }));
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('checkbox', { name: 'Choose A1' }));
    await user.click(screen.getByRole('checkbox', { name: 'Choose A2' }));
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change 2 sprinklers' });
    await user.click(within(dialog).getByRole('checkbox', { name: 'Gateway' }));
    await user.selectOptions(within(dialog).getByRole('combobox', { name: 'Gateway' }), 'Shed');
    await user.click(within(dialog).getByRole('checkbox', { name: 'Spare unit' }));
    await user.click(within(dialog).getByRole('switch'));
    expect(within(dialog).getByText('Gateway becomes Shed for 1; 1 has it already.')).toBeTruthy();
    expect(within(dialog).getByText('Spare unit becomes on for 2.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Change 2 sprinklers' }));
    await waitFor(() =>
      expect(api.calls('POST /ipc/bulk-edit')[0]?.body.changes).toEqual({
        gatewayUID: uid(5001),
        isSpareUnit: true,
      }),
    );
  });

  test('are deleted together after saying which and what goes with them', async () => {
    const api = deviceApi({ ipcs: [buildIpc(10, { groups: [uid(8001)] }), buildIpc(2), buildIpc(3)] });
    api.on('POST /ipc/bulk-delete', ({ body }) => ({ deleted: body.deviceIds.length }));
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('checkbox', { name: 'Choose A10' }));
    await user.click(screen.getByRole('checkbox', { name: 'Choose A2' }));
    await user.click(screen.getByRole('button', { name: 'Delete…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete 2 sprinklers?' });
    expect(dialog.textContent).toContain('A2, A10. They leave the farm, 1 group and their schedules.');
    await user.click(within(dialog).getByRole('button', { name: 'Delete 2 sprinklers' }));
    expect(await screen.findByText('2 sprinklers deleted.')).toBeTruthy();
    expect(api.calls('POST /ipc/bulk-delete')[0]?.body.deviceIds.toSorted()).toEqual([uid(1002), uid(1010)]);
  });

  test('are chosen in a range, and changed in one call after saying what becomes of how many', async () => {
    const api = deviceApi({ ipcs: farm.map((unit) => ({ ...unit, channel: unit.name === 'A2' ? 3 : 1 })) });
    api.on('POST /ipc/bulk-edit', ({ body }) => ({ updated: body.deviceIds.length }));
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('checkbox', { name: 'Choose A1' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Choose A4' }));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('4 chosen')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change 4 sprinklers' });
    await user.click(within(dialog).getByRole('checkbox', { name: 'Radio channel' }));
    const channel = within(dialog).getByLabelText(/New radio channel/);
    await user.clear(channel);
    await user.type(channel, '12');
    expect(within(dialog).getByText('Channel must be 1 to 9 or 16 to 25.')).toBeTruthy();
    await user.clear(channel);
    await user.type(channel, '3');
    expect(within(dialog).getByText('Radio channel becomes 3 for 3; 1 has it already.')).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Change 4 sprinklers' }));
    expect(await screen.findByText('4 sprinklers changed.')).toBeTruthy();
    expect(api.calls('POST /ipc/bulk-edit').map(({ body }) => body)).toEqual([
      {
        farmUID,
        deviceIds: [1, 2, 3, 4].map((n) => uid(1000 + n)).sort((a, b) => order(a) - order(b)),
        changes: { channel: 3 },
      },
    ]);
    await waitFor(() => expect(screen.queryByText('4 chosen')).toBeNull());
  });

  test('stay as they are when the server refuses, and the dialog says why', async () => {
    const api = deviceApi({ ipcs: farm });
    api.on('POST /ipc/bulk-edit', new Failure(404, '1 of the 6 sprinklers are not on this farm.'));
    const { user } = renderApp(PATH, { api });
    await user.click(await screen.findByRole('checkbox', { name: 'Choose all shown' }));
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Part sprinkler' }));
    await user.click(screen.getByRole('button', { name: 'Change 6 sprinklers' }));
    expect(
      await screen.findByText('1 of the 6 sprinklers are not on this farm. Nothing was changed.'),
    ).toBeTruthy();
    expect(screen.getByText('6 chosen')).toBeTruthy();
    // Without an answer nobody knows: it may have been done.
    api.on('POST /ipc/bulk-edit', UNREACHABLE);
    await user.click(screen.getByRole('button', { name: 'Change 6 sprinklers' }));
    expect(
      await screen.findByText(
        "Server couldn't be reached. Whether they were changed isn't known: press again when the connection is back.",
      ),
    ).toBeTruthy();
  });
});

/** By place in the farm's list, in which the server is asked. */
const order = (id: string) => farm.findIndex(({ _id }) => _id === id);

describe('a gateway that is behind with its list', () => {
  test('is told of, with the command that mends it', async () => {
    const api = deviceApi({ ipcs: farm, isBehind: true });
    api.on('POST /commands/send', { commandId: uid(4), status: 'queued' });
    const { user } = renderApp(PATH, { api });
    expect(await screen.findByText(/The sprinklers list needs sending/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Send Sprinklers List' }));
    await waitFor(() => expect(api.calls('POST /commands/send')).toHaveLength(2));
    expect(api.calls('POST /commands/send').map(({ body }) => body.type)).toEqual([23, 13]);
  });
});
