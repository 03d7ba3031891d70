import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import L from 'leaflet';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { MarkerLayer } from '../../map/marker-layer.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { findMap } from '../../testing/find-map.ts';
import { buildLogin, globalSettings, MINUTE, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
// The map is much code: it is there before a test waits for it.
import '../../map/farm-map-view.tsx';
import './group-map-page.tsx';
import './other-popup.tsx';
import '../sprinkler-dialog/sprinkler-dialog.tsx';
import '../gateways/gateway-dialog.tsx';
import '../tanks/tank-dialog.tsx';
import { renderApp } from '../../testing/render-app.tsx';
import { buildPoi, deviceApi } from '../devices/device-fixtures.ts';
import { buildGateway } from '../gateways/gateway-fixtures.ts';
import { buildGroup as buildFarmGroup } from '../groups/group-fixtures.ts';
import { ago, buildInfo, buildTank } from '../../testing/tank-fixtures.ts';
import { buildGroup, buildOther, buildUnit } from './group-fixtures.ts';

beforeEach(stubCanvas);
afterEach(() => vi.restoreAllMocks());

const tank = buildTank(1, { _id: uid(2005), name: 'House tank', statusTime: ago(7 * MINUTE) });
const units = [
  buildUnit(1, { groups: ['Willows'] }),
  buildUnit(2, { groups: ['Terrace'] }),
  buildUnit(12, { serial: '70077' }),
];
const others: Partial<ReturnType<typeof buildGroup>> = {
  gateways: [buildOther(1, 'Dairy shed')],
  repeaters: [buildOther(2, 'R1')],
  sensors: [buildOther(3, 'Bore flow'), buildOther(5, 'House tank', { type: sensorTypes.LEVEL })],
  pois: [buildOther(4, 'Main bore')],
};
const serve = (info = buildGroup(units, others)) =>
  new FakeApi()
    .on('GET /group/units', info)
    .on('GET /lvl/suminfo', { tanks: [tank] })
    .on('GET /level/full-info', buildInfo(tank));
const guest = (api: FakeApi) =>
  api.on('GET /permissions-list', { permissions: [permissionsOn(rakaia, presets.guest)] });
const open = (search: string, api = serve()) => renderApp(`/group-status/FARM${search}`, { api });
const popup = async (name: string) => within(await screen.findByRole('region', { name }));
const dialogOf = async (name: RegExp) => within(await screen.findByRole('dialog', { name }));

describe("a marker's popup leads on", () => {
  test('of a tank says its level with its age, and opens its dialog; Back is the map with the popup', async () => {
    const { user, router } = open(`?ipc=${uid(2005)}`);
    const point = await popup('Tank House tank');
    expect(point.getByText('62')).toBeTruthy();
    expect(point.getByText(/^7 min/)).toBeTruthy();
    await user.click(point.getByRole('link', { name: 'Open tank' }));
    expect(await screen.findByRole('dialog', { name: /House tank/ })).toBeTruthy();
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await popup('Tank House tank');
  });

  test('of a tank whose level one may not read says when it was heard', async () => {
    const api = serve().on('GET /permissions-list', {
      permissions: [permissionsOn(rakaia, { ...presets.none, sprinklersStatus: true })],
    });
    open(`?ipc=${uid(2005)}`, api);
    const point = await popup('Sensor House tank');
    expect(point.getByText('Last contact')).toBeTruthy();
    expect(point.queryByRole('link')).toBeNull();
    expect(api.calls('GET /lvl/suminfo')).toEqual([]);
  });

  test('of a gateway opens its dialog; closing it is the map with the popup', async () => {
    const api = serve().on('GET /gateway', buildGateway());
    const { user, router } = open(`?ipc=${uid(2001)}`, api);
    await user.click((await popup('Gateway Dairy shed')).getByRole('link', { name: 'Open gateway' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.search).toMatchObject({ ipc: uid(2001) });
    expect(router.state.location.search).not.toHaveProperty('gateway');
    await popup('Gateway Dairy shed');
  });

  const pages: [string, string, string, string][] = [
    ['Gateway Dairy shed', uid(2001), 'Dairy shed', `/gateway-device/${rakaia._id}/${uid(2001)}`],
    ['Repeater R1', uid(2002), 'R1', `/repeater-device/${rakaia._id}/${uid(2002)}`],
    ['Sensor Bore flow', uid(2003), 'Bore flow', `/sensor-device/${rakaia._id}/${uid(2003)}`],
    ['Tank House tank', uid(2005), 'House tank', `/sensor-device/${rakaia._id}/${uid(2005)}`],
    ['Point of interest Main bore', uid(2004), 'Main bore', `/pois/${rakaia._id}/${uid(2004)}`],
  ];
  test.each(pages)('%s: to its form', async (region, id, name, path) => {
    open(`?ipc=${id}`);
    const link = await (await popup(region)).findByRole('link', { name: `Edit ${name}` });
    expect(link.getAttribute('href')).toBe(path);
  });

  test("a sprinkler's menu leads to its form, and who may only read to the list", async () => {
    const { unmount } = open(`?ipc=${uid(1001)}`);
    const item = async (name: string) => {
      const dialog = await dialogOf(/A1/);
      fireEvent.click(await dialog.findByRole('button', { name: 'More for A1' }));
      return dialog.findByRole('menuitem', { name });
    };
    expect((await item('Edit A1')).getAttribute('href')).toBe(
      `/irrigation-device/${rakaia._id}/${uid(1001)}`,
    );
    unmount();
    open(`?ipc=${uid(1001)}`, guest(serve()));
    expect((await item('Show A1 in the list')).getAttribute('href')).toBe(
      `/irrigation-devices/${rakaia._id}?q=A1`,
    );
    expect(screen.queryByRole('menuitem', { name: /^Edit/ })).toBeNull();
  });
});

describe('the search of the panel', () => {
  const names = async () =>
    within(await screen.findByRole('list', { name: 'Devices' }))
      .queryAllByRole('link')
      .map((row) => row.querySelector('b')?.textContent);

  test.each([
    ['a1', ['A1', 'A12']],
    ['70077', ['A12']],
    ['willows', ['A1']],
    ['house', ['House tank']],
    ['A terr', ['A2']],
  ])('"%s" finds by name, serial number and group', async (text, found) => {
    const { user, router } = open('');
    await user.type(await screen.findByRole('searchbox', { name: 'Search this map' }), text);
    await waitFor(async () => expect(await names()).toEqual(found));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ q: text }));
  });

  test('leaves the others on the map faintly', async () => {
    const drawn = vi.spyOn(MarkerLayer.prototype, 'setMarkers');
    open('?q=willows');
    await waitFor(() => expect(drawn.mock.lastCall?.[0]).toHaveLength(8));
    const bright = drawn.mock.lastCall?.[0].filter(({ isFaint }) => !isFaint).map(({ name }) => name);
    expect(bright).toEqual(['A1']);
  });

  test('says that there is nothing, and takes the search away', async () => {
    const { user } = open('?q=zebra');
    expect(await screen.findByText(/Nothing here has “zebra”/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Clear the search' }));
    await waitFor(async () => expect(await names()).toEqual(['A1', 'A2', 'A12']));
  });
});

describe('the view', () => {
  const views = () => {
    for (const side of ['clientWidth', 'clientHeight'] as const)
      vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(800);
    const set = vi.spyOn(L.Map.prototype, 'setView');
    const fly = vi.spyOn(L.Map.prototype, 'flyTo');
    return { set, fly };
  };

  test('begins at the unit that a link or the search asks for', async () => {
    const { set } = views();
    open(`?ipc=${units[1]?.id}`);
    await dialogOf(/A2/);
    await waitFor(() => expect(set.mock.lastCall?.[1]).toBe(18));
    const [centre] = set.mock.lastCall ?? [];
    // A little north of it, so that its popup has room.
    expect(L.latLng(centre as L.LatLng).lat).toBeCloseTo(-43.7508, 2);
    expect(L.latLng(centre as L.LatLng).lng).toBeCloseTo(172.03, 6);
  });

  test('goes to a row that is chosen in the list, each time', async () => {
    const { fly } = views();
    const { user } = open('');
    const list = within(await screen.findByRole('list', { name: 'Devices' }));
    const row = await list.findByRole('link', { name: /A2/ });
    await findMap();
    fly.mockClear();
    await user.click(row);
    await waitFor(() => expect(fly).toHaveBeenCalledTimes(1));
    await user.click(row);
    await waitFor(() => expect(fly).toHaveBeenCalledTimes(2));
    await user.click(list.getByRole('link', { name: /A12/ }));
    await waitFor(() => expect(fly).toHaveBeenCalledTimes(3));
  });

  test('stays where it is for what is tapped on it', async () => {
    const { fly } = views();
    open('', serve(buildGroup([buildUnit(1, { lat: rakaia.lat, lng: rakaia.lng })])));
    const map = await findMap();
    await screen.findByRole('link', { name: /A1/ });
    fly.mockClear();
    fireEvent.click(map, { clientX: 400, clientY: 400 });
    await dialogOf(/A1/);
    expect(fly).not.toHaveBeenCalled();
  });

  test('is the same after another page', async () => {
    views();
    const { router } = open('');
    const map = await findMap();
    const seen = vi.spyOn(L.Map.prototype, 'setView');
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    fireEvent.click(screen.getByRole('button', { name: 'Zoom in' }));
    await waitFor(() => expect(seen).toHaveBeenCalled());
    const kept = (seen.mock.contexts.at(-1) as L.Map).getZoom();
    await act(() => router.navigate({ to: '/' }));
    await waitFor(() => expect(map.isConnected).toBe(false));
    seen.mockClear();
    act(() => router.history.back());
    await findMap();
    expect(seen.mock.calls.map(([, zoom]) => zoom)).toEqual([kept]);
  });
});

test('a form that was opened from the map comes back to it when it is saved', async () => {
  const poi = buildPoi(4, { _id: uid(2004), name: 'Main bore' });
  const api = deviceApi({ pois: [poi] })
    .on('GET /group/units', buildGroup(units, others))
    .on('PUT /poi', { ...poi, description: 'By the shed' });
  const { user, router } = renderApp(`/group-status/FARM?ipc=${uid(2004)}`, { api });
  await user.click(await screen.findByRole('link', { name: 'Edit Main bore' }));
  await user.type(await screen.findByRole('textbox', { name: /^Description/ }), 'By the shed');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/group-status/FARM'));
  await popup('Point of interest Main bore');
});

test('the panel leads to where sprinklers are added by taps', async () => {
  open('');
  const link = await screen.findByRole('link', { name: 'Add sprinklers on the map' });
  expect(link.getAttribute('href')).toBe(`/irrigation-device/map/${rakaia._id}`);
});

describe('an empty map', () => {
  test('of a farm leads to a new sprinkler', async () => {
    open('', serve(buildGroup([])));
    const link = await screen.findByRole('link', { name: 'Add a sprinkler' });
    expect(link.getAttribute('href')).toBe(`/irrigation-device/new/${rakaia._id}`);
  });

  test('of a group leads to its devices', async () => {
    const group = buildFarmGroup(1, 'Willows');
    const api = serve(buildGroup([])).on('GET /groups', { groups: [group] });
    renderApp('/group-status/Willows', { api });
    const link = await screen.findByRole('link', { name: 'Choose the sprinklers of Willows' });
    expect(link.getAttribute('href')).toBe(`/group/devices-list/${rakaia._id}/${group._id}`);
  });

  test('leads who may not add nowhere', async () => {
    open('', guest(serve(buildGroup([]))));
    expect(await screen.findByText(/Add sprinklers to see them here/)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /Add/ })).toBeNull();
  });
});

describe('a map without imagery', () => {
  test('tells the owner how to add some', async () => {
    const { user } = open('');
    await user.click(await screen.findByRole('button', { name: 'Add aerial imagery' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Aerial imagery' }));
    expect(dialog.getByText('MAP_IMAGERY=linz')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('says nothing of it to others, nor has a button for it', async () => {
    renderApp('/group-status/FARM', { api: serve(), as: buildLogin({ type: 'AGENT' }) });
    await findMap();
    expect(screen.queryByRole('button', { name: /imagery/i })).toBeNull();
  });

  test('has both where imagery is set up: a button for it, and whom it is owed to', async () => {
    const set = { tileUrl: 'https://tiles.test/{z}/{x}/{y}.png', tileAttribution: '© Tiles Ltd' };
    const { user } = open('', serve().on('GET /ims-settings', { ...globalSettings, ...set }));
    const button = await screen.findByRole('button', { name: 'Imagery' });
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByText('© Tiles Ltd')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add aerial imagery' })).toBeNull();
    await user.click(button);
    expect(screen.queryByText('© Tiles Ltd')).toBeNull();
    await user.click(button);
  });
});

describe('devices that lie on each other', () => {
  const at = { lat: rakaia.lat, lng: rakaia.lng };
  const wide = [-0.01, 0, 0.01].map((east) => ({ lat: at.lat, lng: at.lng + east }));
  const beside = (metres: number) => ({ lat: at.lat, lng: at.lng + metres / 80_400 });
  /** The farm is 0.02° wide: a pixel is 3.45 m / 2^0.5 at zoom 15.5. The free part's middle is at 380, 394. */
  const tap = async (info: ReturnType<typeof buildGroup>) => {
    for (const side of ['clientWidth', 'clientHeight'] as const)
      vi.spyOn(HTMLElement.prototype, side, 'get').mockReturnValue(800);
    const view = open('', serve({ ...info, boundaries: wide }));
    const map = await findMap();
    await screen.findByRole('link', { name: /A1/ });
    fireEvent.click(map, { clientX: 380, clientY: 394 });
    return view;
  };

  test('are listed by name when they are tapped, and one is chosen', async () => {
    const two = [buildUnit(2, beside(5)), buildUnit(1, at)];
    const { user } = await tap(buildGroup(two, { gateways: [buildOther(1, 'Dairy shed', at)] }));
    const chooser = within(await screen.findByRole('region', { name: '3 devices here' }));
    const names = chooser.getAllByRole('button').map(({ textContent }) => textContent);
    expect(names).toEqual(['', 'Sprinkler A1, ok', 'Sprinkler A2, ok', 'Gateway Dairy shed, in contact']);
    await user.click(chooser.getByRole('button', { name: 'Sprinkler A2, ok' }));
    await dialogOf(/A2/);
    expect(screen.queryByRole('region', { name: /devices here/ })).toBeNull();
  });

  test('but for those that can be told from each other there', async () => {
    await tap(buildGroup([buildUnit(1, at), buildUnit(2, beside(30))]));
    await dialogOf(/A1/);
  });

  test('close with Escape, with nothing chosen', async () => {
    const { user, router } = await tap(buildGroup([buildUnit(1, at), buildUnit(2, beside(5))]));
    await screen.findByRole('region', { name: '2 devices here' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('region', { name: /devices here/ })).toBeNull());
    expect(router.state.location.search).not.toHaveProperty('ipc');
  });
});
