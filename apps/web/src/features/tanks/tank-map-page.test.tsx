import { act, screen, waitFor, within } from '@testing-library/react';
import L from 'leaflet';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { POPUP_OPEN_MS } from '@headrace/contract/limits';
import type { TankSite, TankSummary } from '@headrace/contract/tanks';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { Failure, FakeApi } from '../../testing/fake-api.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { findMap } from '../../testing/find-map.ts';
import { HOUR, MINUTE, rakaia, uid } from '../../testing/fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { ago, buildInfo, buildSite, buildTank } from '../../testing/tank-fixtures.ts';
// Its code is there when the first test begins to wait.
import '../../map/farm-map-view.tsx';
import './tank-map-page.tsx';

beforeEach(() => {
  stubCanvas();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

const DAY = 24 * HOUR;
const gateway: TankSite['gateways'][number] = {
  _id: uid(2001),
  name: 'Dairy shed gateway',
  serialNumber: 'GW1',
  type: gatewayTypes.INC,
  location: { lat: -43.755, lng: 172.01 },
  statusTime: ago(HOUR),
  connected: true,
};
const place = (n: number, name: string): TankSite['pois'][number] => ({
  _id: uid(n),
  name,
  description: 'By the river',
  serialNumber: '',
  location: { lat: -43.76, lng: 172.03 },
  statusTime: null,
});
const tanks = [
  buildTank(1, { name: 'Top Tank', trending: 1, statusTime: ago(HOUR) }),
  buildTank(2, { name: 'House', statusTime: ago(5 * HOUR) }),
  buildTank(3, {
    name: 'Yards',
    statusTime: ago(2 * HOUR),
    level: { value: 12, valueInLitres: 3000, invalid: false },
  }),
  buildTank(4, { name: 'Calf Shed', batteryVoltage: 3.3 }),
];

function open(search = '', site: Partial<TankSite> = {}, list: TankSummary[] = tanks) {
  const api = new FakeApi()
    .on('GET /lvl/suminfo', { tanks: list })
    .on('GET /tank/site-info', buildSite({ gateways: [gateway], pois: [place(3001, 'Main bore')], ...site }))
    .on('GET /level/full-info', ({ query }) =>
      buildInfo(tanks.find(({ _id }) => _id === query.sensorUid) ?? buildTank(9)),
    );
  return { ...renderApp(`/tanks${search}`, { api }), api };
}
const markers = async () => {
  await findMap();
  const list = await screen.findByRole('list', { name: /Markers on the map/ });
  return within(list)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));
};
const rows = async () => {
  const links = await screen.findAllByRole('link', { name: /%|Gateway|Point of interest|Invalid|No data/ });
  return links.map((link) => tanks.find(({ name }) => link.textContent?.startsWith(name))?.name);
};
const tile = (name: RegExp) => screen.findByRole('button', { name });

describe('a tank whose level is invalid', () => {
  const level = { value: null, valueInLitres: null, invalid: true };
  const broken = buildTank(5, { name: 'Broken', level });

  test('is not OK on the map, in the list nor in its popup', async () => {
    open(`?p=${broken.serialNumber}`, {}, [broken]);
    expect(await markers()).toContain('Tank Broken, no level, steady, Invalid sensor value');
    // The name above, among what the tiles don't count, leads to the tank itself.
    const untold = await screen.findByRole('list', { name: 'Needs attention' });
    expect(untold.textContent).toBe('Invalid sensor valueBroken');
    const row = await screen.findByRole('link', { name: /^Broken.+ago/ });
    expect(row.textContent).toBe('BrokenInvalid sensor value6 min ago');
    const popup = await screen.findByRole('region', { name: 'Tank Broken' });
    expect(within(popup).getByText('Tank · Invalid sensor value')).toBeTruthy();
  });

  test('is not among those that are OK', async () => {
    open('?filter=Ok', {}, [...tanks, broken]);
    expect(await markers()).toEqual(['Tank Top Tank, 62 %, rising, OK']);
  });
});

describe('the tank map', () => {
  test('has a marker for each tank, gateway, repeater and point of interest, and says how each is', async () => {
    open('', { repeaters: [place(2501, 'Hill repeater')] });
    expect(await markers()).toEqual([
      'Tank Calf Shed, 62 %, steady, Low battery',
      'Gateway Dairy shed gateway, in contact',
      'Repeater Hill repeater, never contacted',
      'Tank House, 62 %, steady, Out of contact',
      'Point of interest Main bore',
      'Tank Top Tank, 62 %, rising, OK',
      'Tank Yards, 12 %, steady, Low level',
    ]);
  });

  test('counts what needs a person, and a count filters by it', async () => {
    const { user, router } = open();
    await markers();
    expect(screen.getByRole('heading', { name: 'Tanks Summary' })).toBeTruthy();
    expect((await tile(/Out of Contact/)).textContent).toBe('1Out of Contact');
    expect((await tile(/Low Battery/)).textContent).toBe('1Low Battery');
    expect((await tile(/Low Tank Level/)).textContent).toBe('1Low Tank Level');
    expect((await tile(/Total/)).textContent).toBe('4Total');
    await user.click(await tile(/Low Battery/));
    expect(router.state.location.search).toMatchObject({ filter: 'LowBattery' });
    await waitFor(async () => expect(await markers()).toEqual(['Tank Calf Shed, 62 %, steady, Low battery']));
  });

  test('lists tanks with percent and direction, in the order asked for', async () => {
    const { user } = open('?filter=Tanks');
    await markers();
    expect(await rows()).toEqual(['Calf Shed', 'House', 'Top Tank', 'Yards']);
    expect(screen.getByRole('img', { name: 'rising' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Sort: Name A-Z' }));
    const sorts = await screen.findAllByRole('menuitemradio');
    expect(sorts.map(({ textContent }) => textContent)).toEqual([
      'Name A-Z',
      'Name Z-A',
      'Status Time Oldest',
      'Status Time Newest',
    ]);
    await user.click(await screen.findByRole('menuitemradio', { name: 'Status Time Oldest' }));
    await waitFor(async () => expect(await rows()).toEqual(['House', 'Yards', 'Top Tank', 'Calf Shed']));
  });

  test.each([
    ['an hour ago', ago(HOUR), 'In contact'],
    ['two days ago', ago(48 * HOUR), 'Out of contact'],
    ['never', null, 'Never contacted'],
  ])('lists a gateway that was heard %s as its marker has it', async (_heard, statusTime, text) => {
    open('', { gateways: [{ ...gateway, statusTime }] });
    expect(await markers()).toContain(`Gateway Dairy shed gateway, ${text.toLowerCase()}`);
    const row = (await screen.findAllByText('Dairy shed gateway'))
      .map((name) => name.closest('li'))
      .find(Boolean);
    expect(within(row as HTMLElement).getByRole('img', { name: text })).toBeTruthy();
  });

  test('draws a ring for each tank: orange below 50 %, red below 20 %', async () => {
    const level = { value: 49, valueInLitres: 12_250, invalid: false };
    open('', {}, [...tanks, buildTank(6, { name: 'Race', level })]);
    await markers();
    const ring = async (name: RegExp) =>
      (await screen.findByRole('link', { name })).querySelector('svg')?.getAttribute('data-level');
    expect(await ring(/^Top Tank/)).toBe('default');
    expect(await ring(/^Race/)).toBe('amber');
    expect(await ring(/^Yards/)).toBe('red');
  });

  test('draws the boundary of the farm', async () => {
    const added = vi.spyOn(L.Layer.prototype, 'addTo');
    open();
    await markers();
    const corners = added.mock.contexts
      .filter((layer) => layer instanceof L.Polygon)
      .map((polygon) => (polygon.getLatLngs()[0] as L.LatLng[]).map(({ lat, lng }) => ({ lat, lng })));
    expect(corners).toContainEqual(buildSite().boundaries);
  });

  test('of a farm without boundary and markers looks at its place with zoom 13', async () => {
    const looked = vi.spyOn(L.Map.prototype, 'setView');
    open('', { boundaries: [], gateways: [], pois: [] }, []);
    await waitFor(() => expect(looked).toHaveBeenCalled());
    expect(looked.mock.calls[0]?.slice(0, 2)).toEqual([{ lat: rakaia.lat, lng: rakaia.lng }, 13]);
  });

  test('offers only the filters that the farm has something for', async () => {
    const { user } = open('', { gateways: [], pois: [] });
    await markers();
    await user.click(screen.getByRole('button', { name: 'Filter: All' }));
    await screen.findByRole('menuitemradio', { name: 'Low volume' });
    expect(screen.queryByRole('menuitemradio', { name: 'Points of interest' })).toBeNull();
    expect(screen.queryByRole('menuitemradio', { name: 'Sensors' })).toBeNull();
  });

  test('leaves out sensors that were deleted, and tells that nothing is there', async () => {
    const legacy = {
      _id: tanks[0]?._id ?? '',
      name: 'Top Tank',
      serialNumber: 'x',
      type: 6,
      location: null,
      settings: {},
      latestStatus: [],
      deletedAt: ago(DAY),
    };
    open('', { sensorsLegacy: [legacy], gateways: [], pois: [] }, tanks.slice(0, 1));
    expect(await screen.findByText(/No items to display\./)).toBeTruthy();
  });

  test('stays on the spinner when the tanks cannot be loaded, with a Retry nearby', async () => {
    const { api, user } = open();
    api.on('GET /lvl/suminfo', new Failure(404, 'Gone.'));
    const retry = await screen.findByRole('button', { name: 'Retry' });
    expect(screen.getByText('Loading the map')).toBeTruthy();
    expect(console.error).toHaveBeenCalled();
    expect((await tile(/Total/)).textContent).toBe('–Total');
    api.on('GET /lvl/suminfo', { tanks });
    await user.click(retry);
    expect(await markers()).toHaveLength(6);
  });

  test('shows the tanks when only the rest of the farm cannot be loaded', async () => {
    const { api } = open();
    api.on('GET /tank/site-info', new Failure(404, 'Gone.'));
    expect(await markers()).toHaveLength(4);
    expect(screen.getByText(/gateways and points of interest couldn't be loaded/)).toBeTruthy();
  });
});

describe('a popup', () => {
  test('opens for the sensor in the address after about a second', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open('?p=TLM1001');
    await markers();
    expect(screen.queryByRole('region', { name: 'Tank Top Tank' })).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(POPUP_OPEN_MS));
    expect(await screen.findByRole('region', { name: 'Tank Top Tank' })).toBeTruthy();
  });

  test('does not open for a serial number that is not there, without a word', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open('?p=NOBODY');
    await markers();
    await act(() => vi.advanceTimersByTimeAsync(3 * POPUP_OPEN_MS));
    expect(screen.queryByRole('region', { name: /^Tank/ })).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('of a tank opens its dialog; the keyboard gets there', async () => {
    const { user, router } = open();
    await markers();
    const list = within(screen.getByRole('list', { name: /Markers on the map/ }));
    list.getByRole('button', { name: /Calf Shed/ }).focus();
    await user.keyboard('{End}');
    expect(document.activeElement?.getAttribute('aria-label')).toContain('Tank Yards');
    await user.keyboard('{Enter}');
    expect(router.state.location.search).toMatchObject({ p: 'TLM1003' });
    const popup = await screen.findByRole('region', { name: 'Tank Yards' });
    await user.click(await within(popup).findByRole('link', { name: 'Open tank' }));
    expect(await screen.findByRole('dialog')).toBeTruthy();
    act(() => router.history.back());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('closes with Escape wherever the focus is, but not together with the dialog in front of it', async () => {
    const { user } = open();
    await markers();
    await user.click(screen.getByRole('button', { name: /^Tank Yards/ }));
    const popup = () => screen.findByRole('region', { name: 'Tank Yards', hidden: true });
    await user.click(await within(await popup()).findByRole('link', { name: 'Open tank' }));
    await screen.findByRole('dialog');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await popup()).toBeTruthy();
    act(() => document.body.focus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Tank Yards' })).toBeNull());
  });

  test('of a gateway opens the gateway dialog', async () => {
    const { user, api } = open();
    api.on('GET /gateway', {
      _id: gateway._id,
      name: gateway.name,
      siteName: 'Rākaia',
      macAddress: '0018B2000A4F',
      serialNumber: 'GW1',
      type: gatewayTypes.INC,
      farmUID: rakaia._id,
      location: { lat: -43.755, lng: 172.01 },
      settings: { ipcListSize: 412 },
      info: { firmwareVersion: 312, bootloaderVersion: 100 },
      latestStatus: [],
      // The page's clock moves in steps of 10 s, and may stand behind ours.
      statusTime: ago(3 * DAY + MINUTE),
      connected: false,
      description: '',
      channel: 1,
      spfactor: 10,
      sync: false,
      version: 1,
      updatedAt: '2026-01-05T02:00:00.000Z',
    });
    await markers();
    await user.click(screen.getByRole('button', { name: /^Gateway Dairy/ }));
    const popup = await screen.findByRole('region', { name: /Gateway Dairy/ });
    await user.click(await within(popup).findByRole('link', { name: 'Open gateway' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('3.12')).toBeTruthy();
    expect(dialog.getByText('This unit is out of contact for more than 3 days!')).toBeTruthy();
    expect(dialog.getByText('Not connected to the server now')).toBeTruthy();
  });

  test('cuts a long name to 15 characters', async () => {
    const { user } = open('', {}, [buildTank(1, { name: 'North Trough Line' })]);
    await markers();
    await user.click(screen.getByRole('button', { name: /^Tank North/ }));
    expect(await screen.findByRole('heading', { name: 'North Trough Li…' })).toBeTruthy();
  });
});

test('a phone shows the map with its counts; the list and its summary come with a button', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(max-width: 767.98px)',
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
  const { user } = open('?filter=Tanks');
  await markers();
  expect((await tile(/Low Battery/)).textContent).toBe('1Low Battery');
  expect(screen.queryByRole('link', { name: /^Yards/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'List' }));
  expect(await rows()).toEqual(['Calf Shed', 'House', 'Top Tank', 'Yards']);
  await user.click(screen.getByRole('button', { name: 'Map' }));
  expect(screen.queryByRole('link', { name: /^Yards/ })).toBeNull();
});

test('a live update recolours its tank', async () => {
  const [first] = tanks as [TankSummary];
  const { api } = open('?filter=Tanks');
  await markers();
  api.on('GET /level/basic-info', {
    ...first,
    level: { value: 8, valueInLitres: 2000, invalid: false },
    updatedAt: '2026-11-21T09:00:00.000Z',
  });
  act(() =>
    FakeSocket.last.push({
      type: 'status_update',
      data: {
        type: 'tank_level',
        farmUID: rakaia._id,
        uid: first._id,
        serialNumber: first.serialNumber,
        updatedAt: '2026-11-21T09:00:00.000Z',
      },
    }),
  );
  await waitFor(async () => expect(await markers()).toContain('Tank Top Tank, 8 %, rising, Low level'));
});

describe('my location', () => {
  const stand = (latitude: number, longitude = 172.02) => {
    const watchPosition = (found: PositionCallback) => {
      found({ coords: { latitude, longitude, accuracy: 8 } } as GeolocationPosition);
      return 1;
    };
    const geolocation = { watchPosition, clearWatch: () => undefined };
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: geolocation });
  };
  test.each([
    ['inside the boundary: the pegman stands there', -43.75, true],
    ["outside it: he doesn't, and the map says why", -43.5, false],
  ])('%s', async (_name, latitude, isShown) => {
    stand(latitude);
    const { user } = open();
    await markers();
    await user.click(screen.getByRole('button', { name: 'My location' }));
    const pegman = screen.queryByRole('img', { name: 'You are here' });
    expect(pegman !== null).toBe(isShown);
    expect(screen.queryByText(/outside the farm's boundary/) === null).toBe(isShown);
  });

  test('over 180° from the middle of the map stands beside the farm, not on the other side of the earth', async () => {
    stand(-43.75, -179.99);
    const corner = (lat: number, lng: number) => ({ lat, lng });
    const boundaries = [
      corner(-43.8, 179.9),
      corner(-43.8, -179.95),
      corner(-43.7, -179.95),
      corner(-43.7, 179.9),
    ];
    const { user } = open('', { boundaries, centre: corner(-43.75, 179.975) }, [
      buildTank(1, { location: corner(-43.75, 179.99) }),
    ]);
    await markers();
    await user.click(screen.getByRole('button', { name: 'My location' }));
    const pegman = screen
      .getByRole('img', { name: 'You are here' })
      .closest<HTMLElement>('.leaflet-marker-icon');
    const x = Number.parseFloat(pegman?.style.left ?? '');
    // Once around the earth is hundreds of thousands of px where the tests' map stands.
    expect(Math.abs(x)).toBeLessThan(1000);
  });
});

test('the boundary button goes from area to border to hidden', async () => {
  const { user } = open();
  await markers();
  for (const [now, next] of [
    ['area', 'border only'],
    ['border only', 'hidden'],
    ['hidden', 'area'],
  ]) {
    await user.click(screen.getByRole('button', { name: `Boundary: ${now}. Change` }));
    expect(screen.getByRole('button', { name: `Boundary: ${next}. Change` })).toBeTruthy();
  }
});
