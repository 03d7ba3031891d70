import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import L from 'leaflet';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { IpcStatus } from '@headrace/contract/groups';
import { presets } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { conditions } from '@headrace/contract/rules/condition';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { stubCanvas } from '../../map/fake-canvas.ts';
import type { MapMarker } from '../../map/marker.ts';
import { MarkerLayer } from '../../map/marker-layer.ts';
import { BODY_UP_PX } from '../../map/marker-sprites.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { findMap } from '../../testing/find-map.ts';
import { HOUR, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import './group-map-page.tsx';
import './other-popup.tsx';
import '../sprinkler-dialog/sprinkler-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildTank } from '../../testing/tank-fixtures.ts';
import { buildCommand } from '../commands/command-fixtures.ts';
import { buildSensor } from '../devices/device-fixtures.ts';
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
const others: Partial<ReturnType<typeof buildGroup>> = {
  gateways: [buildOther(1, 'Dairy shed', { statustime: Date.now() - 2 * DAY })],
  repeaters: [buildOther(2, 'R1')],
  sensors: [buildOther(3, 'Bore flow')],
  pois: [buildOther(4, 'Main bore')],
};

function open(path = '/group-status/FARM', info = buildGroup(units, others)) {
  const api = new FakeApi().on('GET /group/units', info);
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

  test('a row and a marker say what is under way for its sprinkler, and call a schedule that is coming no issue', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const differs = { condition: conditions.error, hasError: true, hasScheduleError: true, ipc_crc: 'AA:AA' };
    const coming = { hasScheduleError: true, isScheduleComing: true, ipc_crc: 'AA:AA' };
    const some = [1, 2, 3, 4].map((n) => buildUnit(n, n === 4 ? differs : coming));
    const [one, two] = some.map(({ id }) => id);
    const { api, drawn } = open('/group-status/FARM', buildGroup(some, others));
    const send = { _id: uid(5001), title: 'Send Schedules', units: [one, two] as string[] };
    const poll = { _id: uid(5002), title: 'Poll', units: [two] as string[] };
    api.on('GET /commands/units', { commands: [poll, send] });
    await shows(['A1', 'A2', 'A3', 'A4']);
    const rowOf = (name: string) =>
      screen.getByRole('link', { name: new RegExp(name) }).textContent?.replace(/\d+ min ago$/, '');
    await waitFor(() => expect(rowOf('A1')).toBe('A140001New schedule on its waySend Schedules under way'));
    expect(rowOf('A2')).toBe('A240002New schedule on its wayPoll under way');
    expect(rowOf('A3')).toBe('A340003New schedule on its way');
    expect(rowOf('A4')).toBe('A440004Schedule issue');
    const marker = (name: string) => drawn.mock.lastCall?.[0].find((one) => one.name === name);
    await waitFor(() =>
      expect(marker('A1')).toMatchObject({
        spoken: 'Sprinkler A1, new schedule on its way',
        condition: 'ok',
      }),
    );
    expect(marker('A4')).toMatchObject({ spoken: 'Sprinkler A4, schedule issue', condition: 'caution' });
    // Its news has it asked again: soon, and then at most every five seconds, which only the test lets pass.
    vi.setTimerTickMode('manual');
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
    const asked = () => api.calls('GET /commands/units').length;
    const before = asked();
    api.on('GET /commands/units', { commands: [] });
    const news = (n: number) =>
      act(() =>
        FakeSocket.last.push({ type: 'command_update', data: buildCommand(n, { state: 'progress' }) }),
      );
    news(1);
    await pass(1000);
    expect(rowOf('A1')).toBe('A140001New schedule on its way');
    expect(asked()).toBe(before + 1);
    for (const n of [2, 3, 4]) news(n);
    await pass(3900);
    expect(asked()).toBe(before + 1);
    await pass(1500);
    expect(asked()).toBe(before + 2);
  });

  test('asks how its sprinklers are when a send of schedules begins or ends, and not while it goes on', async () => {
    const { api } = open();
    await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
    const asked = () => api.calls('GET /group/units').length;
    const news = (state: 'progress' | 'failed', type: number) =>
      act(() => FakeSocket.last.push({ type: 'command_update', data: buildCommand(1, { state, type }) }));
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    news('progress', commandTypes.SendScheduleSet);
    news('failed', commandTypes.Poll);
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(asked()).toBe(1);
    news('failed', commandTypes.SendScheduleSet);
    await act(() => vi.advanceTimersByTimeAsync(6000));
    expect(asked()).toBe(2);
  });

  test('asks for the group of the address on the current farm', async () => {
    const { api } = open('/group-status/North');
    await waitFor(() =>
      expect(api.calls('GET /group/units')[0]?.query).toEqual({ farmUID: rakaia._id, name: 'North' }),
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

  test('lists and draws spares too where they are to be shown', async () => {
    const unplaced = units.map((unit) => (unit.isSpareUnit ? { ...unit, lat: -43.6, lng: 172 } : unit));
    const api = new FakeApi()
      .on('GET /group/units', buildGroup(unplaced))
      .on('GET /settings', { data: { displaySpares: true }, version: 6 });
    const drawn = vi.spyOn(MarkerLayer.prototype, 'setMarkers');
    renderApp('/group-status/FARM', { api });
    await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8']);
    const names = () => drawn.mock.lastCall?.[0].map(({ name, condition }) => [name, condition]);
    await waitFor(() => expect(names()).toContainEqual(['A8', 'spare']));
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
    const faint = () => drawn.mock.lastCall?.[0].filter(({ isFaint }) => isFaint).map(({ name }) => name);
    await waitFor(() => expect(faint()).toEqual(['A1', 'A2', 'A3', 'A5', 'A7']));
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

  test('lists a sensor and a gateway as their markers have them, and says what is wrong', async () => {
    const silent = { statustime: Date.now() - 4 * HOUR };
    const level = { type: sensorTypes.LEVEL };
    const sensors = [
      buildOther(3, 'Bore flow'),
      buildOther(5, 'Soil', silent),
      buildOther(6, 'Top tank', level),
      buildOther(7, 'Vat', { statustime: 0 }),
    ];
    const api = new FakeApi()
      .on('GET /group/units', buildGroup(units, { ...others, sensors }))
      .on('GET /lvl/suminfo', {
        tanks: [
          buildTank(6, {
            _id: uid(2006),
            condition: 2,
            level: { value: 12, valueInLitres: 3000, invalid: false },
          }),
        ],
      });
    const { user } = renderApp('/group-status/FARM?show=sensors', { api });
    await shows(['Bore flow', 'Soil', 'Top tank', 'Vat']);
    const row = (name: string) => {
      const link = screen.getByRole('link', { name: new RegExp(name) });
      return [link.querySelector('path')?.getAttribute('fill'), link.textContent];
    };
    expect(row('Bore flow')).toEqual(['var(--hr-sensor)', 'Bore flowSN35 min ago']);
    expect(row('Soil')).toEqual(['var(--hr-issue)', 'SoilSN5Out of contact4 h ago']);
    await waitFor(() =>
      expect(row('Top tank')).toEqual(['var(--hr-caution)', 'Top tankSN6Low level5 min ago']),
    );
    expect(row('Vat')).toEqual(['var(--hr-issue)', 'VatSN7Never contactedNo status']);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Filter' }), 'All (7)');
    await user.type(screen.getByLabelText('Search this map'), 'dairy');
    await shows(['Dairy shed']);
    expect(row('Dairy shed')).toEqual(['var(--hr-issue)', 'Dairy shedSN1Out of contact2 days ago']);
  });

  test('sorts, and keeps the order in the address', async () => {
    const { user, router } = open();
    await rows();
    const sort = await screen.findByRole('combobox', { name: 'Sort' });
    expect(
      within(sort)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Name A-Z',
      'Name Z-A',
      'Serial A-Z',
      'Serial Z-A',
      'Status Time Oldest',
      'Status Time Newest',
    ]);
    await user.selectOptions(sort, 'Status Time Oldest');
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

  test('opens the unit of the address; a row opens another', async () => {
    const { user, router } = open(`/group-status/FARM?ipc=${units[3]?.id}`);
    await screen.findByRole('dialog', { name: /A4/ });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).not.toHaveProperty('ipc');
    await user.click(await screen.findByRole('link', { name: /A5/ }));
    await screen.findByRole('dialog', { name: /A5/ });
    // The address follows the dialog.
    await waitFor(() => expect(router.state.location.search).toMatchObject({ ipc: units[4]?.id }));
  });

  test('draws no points of interest and no sensors where they are not to be shown, unless asked for by name', async () => {
    const api = new FakeApi()
      .on('GET /group/units', buildGroup(units, others))
      .on('GET /settings', { data: { displayPOI: false, displaySensors: false }, version: 6 });
    const drawn = vi.spyOn(MarkerLayer.prototype, 'setMarkers');
    const { user } = renderApp('/group-status/FARM', { api });
    await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
    const shapes = () => new Set(drawn.mock.lastCall?.[0].map(({ shape }) => shape));
    await waitFor(() => expect([...shapes()]).toEqual(['sprinkler', 'gateway', 'repeater']));
    const filter = screen.getByRole('combobox', { name: 'Filter' });
    await user.selectOptions(filter, 'Sensors (1)');
    await waitFor(() => expect([...shapes()]).toEqual(['sprinkler', 'gateway', 'repeater', 'sensor']));
    await user.selectOptions(filter, 'Points of Interest (1)');
    await waitFor(() => expect([...shapes()]).toEqual(['sprinkler', 'gateway', 'repeater', 'poi']));
  });

  test('a marker and a row say of a valve that should be closed that it should be', async () => {
    const now = Date.now();
    const overdue = buildUnit(9, {
      condition: conditions.active,
      active: true,
      valveOpen: true,
      valveAt: now - 3 * HOUR,
      belief: {
        state: 'openOverdue',
        since: now - 3 * HOUR,
        until: now - 2 * HOUR,
        basis: 'said',
        cause: 'schedule',
      },
    });
    const { drawn } = open('/group-status/FARM', buildGroup([buildUnit(1), overdue], others));
    const list = within(await screen.findByRole('list', { name: 'Devices' }));
    const row = await list.findByRole('link', { name: /A9/ });
    expect(row.textContent).toContain('Should be closed by now');
    await findMap();
    const markers = drawn.mock.calls.flatMap(([shown]) => shown);
    expect(markers.find(({ name }) => name === 'A9')).toMatchObject({
      look: 'overdue',
      spoken: 'Sprinkler A9, should be closed by now',
    });
  });

  test('opens a unit without a place as well', async () => {
    open(`/group-status/FARM?ipc=${units[5]?.id}&tab=details`);
    const dialog = within(await screen.findByRole('dialog', { name: /A6/ }));
    expect((await dialog.findByText('Location')).nextSibling?.textContent).toBe('None');
  });
});

describe('a marker', () => {
  const MIDDLE = 500;
  beforeEach(() => {
    for (const side of ['clientWidth', 'clientHeight'] as const)
      vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(2 * MIDDLE);
  });
  const here = { lat: rakaia.lat, lng: rakaia.lng };

  const alone: [MapMarker['shape'], string | RegExp, Partial<ReturnType<typeof buildGroup>>][] = [
    ['sprinkler', /A1/, { units: [buildUnit(1, here)], total: 1 }],
    ['repeater', 'Repeater R1', { repeaters: [buildOther(2, 'R1', here)] }],
    ['sensor', 'Sensor Bore flow', { sensors: [buildOther(3, 'Bore flow', here)] }],
    ['poi', 'Point of interest Main bore', { pois: [buildOther(4, 'Main bore', here)] }],
    ['gateway', 'Gateway Dairy shed', { gateways: [buildOther(1, 'Dairy shed', here)] }],
  ];
  test.each(alone)('of a %s opens its details when it is clicked', async (shape, name, info) => {
    const { drawn } = open('/group-status/FARM', buildGroup([], info));
    const map = await findMap();
    await waitFor(() => expect(drawn.mock.lastCall?.[0]).toHaveLength(1));
    const role = shape === 'sprinkler' ? 'dialog' : 'region';
    expect(screen.queryByRole(role, { name })).toBeNull();
    // It alone is to be seen: the map's middle is its place.
    fireEvent.click(map, { clientX: MIDDLE, clientY: MIDDLE - BODY_UP_PX[shape] });
    expect(await screen.findByRole(role, { name })).toBeTruthy();
  });

  test.each([
    ['a farm', '/group-status/FARM', buildGroup([]), 15],
    ['a group of one', '/group-status/North', buildGroup([buildUnit(1)]), 17],
    ['a group without devices', '/group-status/North', buildGroup([]), 17],
  ])('of %s is seen from the zoom of its map', async (_name, path, info, zoom) => {
    const view = vi.spyOn(L.Map.prototype, 'setView');
    open(path, info);
    await findMap();
    expect(view.mock.lastCall?.[1]).toBe(zoom);
    expect((view.mock.contexts[0] as L.Map).getMaxZoom()).toBe(19);
  });
});

describe('what is drawn', () => {
  const near = { pois: [buildOther(4, 'Main bore', { lat: -43.7506, lng: 172.03 })] };
  const two = buildGroup([buildUnit(1), buildUnit(2)], near);
  const draw = (path: string, info = two) => {
    for (const side of ['clientWidth', 'clientHeight'] as const)
      vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(1000);
    const painted = { fillText: vi.fn<(text: string) => void>(), arc: vi.fn<(...at: number[]) => void>() };
    Object.assign(document.createElement('canvas').getContext('2d') ?? {}, painted);
    open(path, info);
    return {
      names: () => painted.fillText.mock.calls.map(([text]) => text),
      radii: () => painted.arc.mock.calls.map(([_x, _y, radius]) => radius?.toFixed(2)),
    };
  };

  test('from zoom 17 on has names, of a point of interest also the 20 m around it', async () => {
    const { names, radii } = draw('/group-status/North');
    await waitFor(() => expect(names()).toEqual(expect.arrayContaining(['A1', 'A2', 'Main bore'])));
    // They are 67 m apart and seen at zoom 18, where a pixel is 156,543.034 m × cos 43.7506° / 2^18 = 0.4314 m.
    expect(radii()).toContain('46.36');
  });

  test('further away has none', async () => {
    // At zoom 16 a degree is 46,603 px wide: 0.019° are 885 of the 912 that are free, and a pixel is four times as wide.
    const boundaries = [172.0205, 172.0395, 172.03].map((lng) => ({ lat: -43.7506, lng }));
    const { names, radii } = draw('/group-status/FARM', { ...two, boundaries });
    await waitFor(() => expect(radii()).toContain('11.59'));
    expect(names()).not.toContain('A1');
  });
});

describe('a point of interest on the map', () => {
  const bore = others.pois?.[0];
  const path = `/group-status/FARM?ipc=${bore?.id}`;
  const popup = async () =>
    within(await screen.findByRole('region', { name: 'Point of interest Main bore' }));

  test('becomes a sensor where it stands: the map stays, and shows what is there now', async () => {
    const { api, router, drawn } = open(path);
    api
      .on('GET /macsensor', {
        mac: '0004A30B001C',
        currentlyActive: false,
        isSpare: false,
        name: '',
        farmName: '',
        farmUID: '',
        channel: 3,
        spfactor: 10,
      })
      .on('POST /poi/sensorconv', { sensor: { ...buildSensor(3), value: 0, valueInLitres: 100 } });
    const point = await popup();
    expect(await point.findByRole('button', { name: 'Convert to sprinkler' })).toBeTruthy();
    // In tests dialogs stand within the map, which would take quick clicks for a double one.
    fireEvent.click(point.getByRole('button', { name: 'Convert to sensor' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Convert Main bore to a sensor' }));
    const enter = (name: RegExp, value: string) =>
      fireEvent.change(dialog.getByRole('textbox', { name }), { target: { value } });
    enter(/^Name/, 'MB');
    enter(/Serial number/, 'TLM');
    await dialog.findByText('MAC address found.');
    api.on('GET /group/units', buildGroup(units, { ...others, pois: [] }));
    fireEvent.click(dialog.getByRole('button', { name: 'Convert to sensor' }));
    expect(await screen.findByText('POI converted to sensor successfully!')).toBeTruthy();
    expect(api.calls('POST /poi/sensorconv')[0]?.body).toMatchObject({ poiUID: bore?.id, name: 'MB' });
    await waitFor(() => expect(drawn.mock.lastCall?.[0].some(({ shape }) => shape === 'poi')).toBe(false));
    expect(router.state.location.pathname).toBe('/group-status/FARM');
    expect(router.state.location.search).not.toHaveProperty('ipc');
  });

  test('is not offered to become another thing where that is not allowed', async () => {
    const api = new FakeApi()
      .on('GET /group/units', buildGroup(units, others))
      .on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] });
    renderApp(path, { api });
    const point = await popup();
    await act(async () => void (await import('../pois/convert-poi.tsx')));
    expect(point.queryByRole('button', { name: /^Convert/ })).toBeNull();
  });
});

test('a group that is not there is a page that is not there', async () => {
  const api = new FakeApi().on('GET /group/units', new Failure(404, 'There is no group of this name.'));
  renderApp('/group-status/Nowhere', { api });
  expect(await screen.findByText(NOT_FOUND_TEXT)).toBeTruthy();
  expect(screen.queryByRole('list', { name: 'Summary' })).toBeNull();
});

test('a map that could not be loaded says so, with a Retry, and not as under way', async () => {
  const { api, user } = open();
  api.on('GET /group/units', new Failure(500, 'The database is away.'));
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.getByText(/The database is away/)).toBeTruthy();
  // Nothing is under way: it doesn't come by itself.
  expect(screen.queryByText('Loading the map')).toBeNull();
  api.on('GET /group/units', buildGroup(units));
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

function onAPhone(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.startsWith('(max-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  onTestFinished(() => void vi.unstubAllGlobals());
}

test('on a phone a farm without sprinklers opens with the list, which has the next step', async () => {
  onAPhone();
  renderApp('/group-status/FARM', { api: new FakeApi().on('GET /group/units', buildGroup([])) });
  expect(await screen.findByRole('link', { name: 'Add a sprinkler' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Map' }));
  expect(screen.queryByRole('link', { name: 'Add a sprinkler' })).toBeNull();
});

test('on a phone the list is where it was after a sprinkler, and goes for what stands on the map', async () => {
  onAPhone();
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'List' }));
  await shows(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7']);
  await user.click(screen.getByRole('link', { name: /A2/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /A2/ }));
  await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await rows()).toHaveLength(7);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter' }), 'Points of Interest (1)');
  await shows(['Main bore']);
  await user.click(screen.getByRole('link', { name: /Main bore/ }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Devices' })).toBeNull());
  expect(await screen.findByRole('region', { name: 'Point of interest Main bore' })).toBeTruthy();
});
