import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GroupInfo, IpcStatus } from '@headrace/contract/groups';
import { presets } from '@headrace/contract/permissions';
import { conditions } from '@headrace/contract/rules/condition';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { MarkerLayer } from '../../map/marker-layer.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { HOUR, permissionsOn, rakaia } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { buildGroup, buildOther, buildUnit } from './group-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const DAY = 24 * HOUR;
const units: IpcStatus[] = [
  buildUnit(1),
  buildUnit(2, { condition: conditions.active, active: true }),
  buildUnit(3, {
    condition: conditions.outOfContact,
    isOutOfContact: true,
    statustime: Date.now() - 31 * DAY,
  }),
  buildUnit(4, { condition: conditions.error, hasError: true, hasBatteryError: true, charge: 41 }),
  buildUnit(5, { condition: conditions.error, hasError: true, hasClockError: true, clock: -95 }),
  buildUnit(6, { lat: null, lng: null }),
  buildUnit(7, { lat: rakaia.lat, lng: rakaia.lng }),
  buildUnit(8, { condition: conditions.outOfService, isSpareUnit: true }),
];
const others: Partial<GroupInfo> = {
  gateways: [buildOther(1, 'Dairy shed', { statustime: Date.now() - 2 * DAY })],
  repeaters: [buildOther(2, 'R1')],
  sensors: [buildOther(3, 'Bore flow')],
  pois: [buildOther(4, 'Main bore')],
};

function open(path = '/group-status/FARM', info = buildGroup(units, others)) {
  const api = new FakeApi().on('GET /group/info', info);
  const drawn = vi.spyOn(MarkerLayer.prototype, 'setMarkers');
  const view = renderApp(path, { api });
  return { ...view, api, drawn };
}
const rows = async () => {
  const list = await screen.findByRole('list', { name: 'Devices' });
  return within(list)
    .queryAllByRole('link')
    .map((row) => row.querySelector('b')?.textContent);
};
const shows = (names: string[]) => waitFor(async () => expect(await rows()).toEqual(names));

describe('the group map', () => {
  test('lists the sprinklers with name, serial number, state and the age of their status', async () => {
    open();
    await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
    const row = screen.getByRole('link', { name: /A3/ });
    expect(row.textContent).toBe('A340003Out of contact31 days ago');
    expect(screen.getByRole('heading', { name: rakaia.name })).toBeTruthy();
  });

  test('asks for the group of the address on the current farm', async () => {
    const { api } = open('/group-status/North');
    await waitFor(() =>
      expect(api.calls('GET /group/info')[0]?.query).toEqual({ farmUID: rakaia._id, name: 'North' }),
    );
  });

  test('draws every kind of device, and spares only where they are to be shown', async () => {
    const { drawn } = open();
    await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
    await waitFor(() => expect(drawn).toHaveBeenCalled());
    expect(drawn.mock.lastCall?.[0].map(({ spoken }) => spoken)).toEqual([
      'Sprinkler A1, ok',
      'Sprinkler A2, watering',
      'Sprinkler A3, out of contact',
      'Sprinkler A4, low battery',
      'Sprinkler A5, clock error',
      'Sprinkler A7, ok',
      'Gateway Dairy shed, out of contact',
      'Repeater R1',
      'Sensor Bore flow',
      'Point of interest Main bore',
    ]);
  });

  test('counts what needs a person, and a count filters by what it counts', async () => {
    const { user, router, drawn } = open();
    await rows();
    const summary = within(await screen.findByRole('list', { name: 'Summary' }));
    await waitFor(() =>
      expect(summary.getAllByRole('button').map((button) => button.textContent)).toEqual([
        '1Out of Contact',
        '1Low Battery',
        '1Clock Error',
        '0Schedule Issues',
        '1Active',
        '1Spares',
        '7In Service',
      ]),
    );
    await user.click(summary.getByRole('button', { name: /Low Battery/ }));
    await shows(['A4']);
    expect(router.state.location.search).toMatchObject({ show: 'battery' });
    const faint = drawn.mock.lastCall?.[0].filter(({ isFaint }) => isFaint).map(({ name }) => name);
    expect(faint).toEqual(['A1', 'A2', 'A3', 'A5', 'A7']);
    await user.click(summary.getByRole('button', { name: /Low Battery/ }));
    await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
  });

  test.each([
    ['outcomm', ['A3']],
    ['active', ['A2']],
    ['error', ['A4', 'A5']],
    ['locationless', ['A6', 'A7']],
    ['anything', ['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']],
  ])('a link with filter=%s shows its units', async (filter, names) => {
    open(`/group-status/FARM?filter=${filter}`);
    await shows(names);
  });

  test('offers the filters by their names, and lists sensors and points of interest in place of sprinklers', async () => {
    const { user } = open();
    await rows();
    const filter = await screen.findByRole('combobox', { name: 'Filter' });
    await waitFor(() =>
      expect(
        within(filter)
          .getAllByRole('option')
          .map(({ textContent }) => textContent),
      ).toEqual([
        'All (7)',
        'Out of Contact (1)',
        'Errors (2)',
        'Clock Error (1)',
        'Low Battery (1)',
        'Schedule Issues (0)',
        'Inhibited (0)',
        'Active (1)',
        'Normal (4)',
        'Spares (1)',
        'Locationless (2)',
        'Points of Interest (1)',
        'Sensors (1)',
        'Custom',
      ]),
    );
    await user.selectOptions(filter, 'Sensors (1)');
    await shows(['Bore flow']);
    await user.selectOptions(filter, 'Points of Interest (1)');
    await shows(['Main bore']);
    await user.selectOptions(filter, 'Spares (1)');
    await shows(['A8']);
  });

  test('sorts, and keeps the order in the address', async () => {
    const { user, router } = open();
    await rows();
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort' }), 'Status Time Oldest');
    await shows(['A3', 'A7', 'A6', 'A5', 'A4', 'A2', 'A1']);
    expect(router.state.location.search).toMatchObject({ sort: 'oldest' });
  });

  test('says how many have no location, and leads to them', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: '2 sprinklers have no location' }));
    await shows(['A6', 'A7']);
  });

  test('shows units by a custom filter, refuses what is no number, and can be changed', async () => {
    const { user, router } = open();
    await rows();
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Filter' }), 'Custom');
    const dialog = within(await screen.findByRole('dialog', { name: 'Custom filter properties' }));
    expect(await dialog.findByRole('radio', { name: 'Battery' })).toHaveProperty('checked', true);
    const value = dialog.getByRole('textbox', { name: /^Value/ });
    expect(value).toHaveProperty('value', '50');
    await user.clear(value);
    await user.type(value, '-1');
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    expect(dialog.getByText("Value can't be less than 0.")).toBeTruthy();
    await user.click(dialog.getByRole('radio', { name: 'Clock' }));
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Condition' }), 'Greater Than');
    await user.clear(value);
    await user.type(value, '60');
    await user.click(dialog.getByRole('button', { name: 'Apply' }));
    await shows(['A5']);
    expect(screen.getByText('Clock greater than 60 sec')).toBeTruthy();
    expect(router.state.location.search).toMatchObject({
      filter: 'custom',
      prop: 'clock',
      cond: 'gt',
      value: '60',
    });
  });

  test('opens the unit of the address, and a row opens another', async () => {
    const { user, router } = open(`/group-status/FARM?ipc=${units[3]?.id}`);
    const popup = within(await screen.findByRole('region', { name: 'Sprinkler A4' }));
    expect(popup.getByText('Low battery')).toBeTruthy();
    expect(popup.getByText('Battery').nextSibling?.textContent).toContain('41');
    await user.click(await screen.findByRole('link', { name: /A5/ }));
    const other = within(await screen.findByRole('region', { name: 'Sprinkler A5' }));
    expect(other.getByText('Clock').nextSibling?.textContent).toMatch(/95\s*s slow/);
    expect(router.state.location.search).toMatchObject({ ipc: units[4]?.id });
    await user.click(other.getByRole('button', { name: 'Close popup' }));
    expect(screen.queryByRole('region', { name: /^Sprinkler A/ })).toBeNull();
  });

  test('shows the facts of a unit without a place as well', async () => {
    open(`/group-status/FARM?ipc=${units[5]?.id}`);
    const popup = within(await screen.findByRole('region', { name: 'Sprinkler A6' }));
    expect(popup.getByText('Location').nextSibling?.textContent).toBe('None');
  });
});

test('a live message renews the units, recolours only those that changed, and adjusts the counts', async () => {
  const { api, drawn } = open();
  await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
  const before = drawn.mock.lastCall?.[0] ?? [];
  const heard = units.map((unit, n) =>
    n === 2 ? { ...unit, condition: conditions.ok, isOutOfContact: false, statustime: Date.now() } : unit,
  );
  api.on('GET /group/info', buildGroup(heard, others));
  act(() =>
    FakeSocket.last.push({
      type: 'status_update',
      data: {
        type: 'ipc',
        farmUID: rakaia._id,
        uid: units[2]?.id ?? '',
        serialNumber: '40003',
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    }),
  );
  await waitFor(() =>
    expect(screen.getByRole('button', { name: /Out of Contact/ }).textContent).toBe('0Out of Contact'),
  );
  const after = drawn.mock.lastCall?.[0] ?? [];
  expect(after[2]?.spoken).toBe('Sprinkler A3, ok');
  expect(after.filter((marker, n) => marker !== before[n])).toHaveLength(1);
});

test('a group that is not there is said, with a Retry', async () => {
  const { api, user } = open();
  api.on('GET /group/info', new Failure(404, 'There is no group of this name.'));
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByText(/There is no group of this name/)).toBeTruthy();
  api.on('GET /group/info', buildGroup(units));
  await user.click(retry);
  await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
});

test('people without the right to see sprinklers do not get there', async () => {
  const api = new FakeApi().on('GET /permissions-list', {
    permissions: [permissionsOn(rakaia, { ...presets.guest, sprinklersStatus: false })],
  });
  const { router } = renderApp('/group-status/FARM', { api });
  await waitFor(() => expect(router.state.location.pathname).toBe('/403'));
});

test('five thousand sprinklers draw only the rows in sight', async () => {
  const many = Array.from({ length: 5000 }, (_u, n) => buildUnit(n + 1));
  open('/group-status/FARM', buildGroup(many));
  const list = await screen.findByRole('list', { name: 'Devices' });
  await waitFor(() => expect(within(list).getAllByRole('link').length).toBeGreaterThan(10));
  expect(within(list).getAllByRole('link').length).toBeLessThan(120);
  expect(within(list).getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('5000');
});
