import { screen, waitFor } from '@testing-library/react';
import L from 'leaflet';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { NOT_FOUND_TEXT } from '@headrace/contract/texts';
import type { Farm } from '@headrace/contract/farms';
import { presets } from '@headrace/contract/permissions';
// The forms are much code: it is there before a test waits for it.
import '../../app/device-form-page.tsx';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { MarkerLayer } from '../../map/marker-layer.ts';
import type { MapMarker } from '../../map/marker.ts';
import { Failure } from '../../testing/fake-api.ts';
import { findMap } from '../../testing/find-map.ts';
import { buildFarmRecord, HOUR, permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { buildTank } from '../../testing/tank-fixtures.ts';
import { renderApp } from '../../testing/render-app.tsx';
import {
  buildGateway,
  buildIpc,
  buildPoi,
  buildRepeater,
  buildSensor,
  deviceApi,
  farmUID,
} from '../devices/device-fixtures.ts';

// The map is a canvas: here it says what it was given.
let given: readonly MapMarker[] = [];
beforeEach(() => {
  given = [];
  stubCanvas();
  vi.spyOn(MarkerLayer.prototype, 'setMarkers').mockImplementation((markers) => {
    given = markers;
  });
});
afterEach(() => vi.restoreAllMocks());

const low = buildTank(1, {
  _id: uid(7001),
  level: { value: 12, valueInLitres: 3000, invalid: false },
});
const farm = () =>
  deviceApi({
    ipcs: [buildIpc(1), buildIpc(2, { charge: 20 }), buildIpc(3, { lat: null, lng: null })],
    gateways: [
      buildGateway(1),
      // Given out at the farm's pin: it has no place of its own.
      buildGateway(2, { location: { lat: rakaia.lat, lng: rakaia.lng } }),
    ],
    repeaters: [buildRepeater(1), buildRepeater(2, { statusTime: 0 })],
    sensors: [
      buildSensor(1),
      buildSensor(2, {
        name: 'Soil 2',
        type: sensorTypes.SOIL_MOISTURE,
        status: 3,
        statusTime: Date.now() - 4 * HOUR,
      }),
    ],
    pois: [buildPoi(1)],
  }).on('GET /lvl/suminfo', { tanks: [low] });
const all = [
  'Sprinkler A1, ok [sprinkler, ok]',
  'Sprinkler A2, low battery [sprinkler, caution]',
  'Gateway Shed, in contact [gateway, ok]',
  'Repeater R1 [repeater, sensor]',
  'Repeater R2, never contacted [repeater, issue]',
  // As the tank map draws it.
  'Tank Tank 1, 12 %, steady, Low level [tank, caution]',
  'Sensor Soil 2, out of contact [sensor, issue]',
  'Gate Gate 1 [poi, poi]',
];
const seen = () => given.map(({ spoken, shape, condition }) => `${spoken} [${shape}, ${condition}]`);
const besides = (name: string) => all.filter((text) => !text.includes(name));

describe("a device's place", () => {
  test.each([
    [`/irrigation-device/${farmUID}/${uid(1001)}`, besides('Sprinkler A1,')],
    [`/gateway-device/${farmUID}/${uid(5001)}`, besides('Shed')],
    [`/repeater-device/${farmUID}/${uid(6001)}`, besides('R1')],
    [`/sensor-device/${farmUID}/${uid(7001)}`, besides('Tank 1')],
    [`/pois/${farmUID}/${uid(9001)}`, besides('Gate 1')],
    [`/sensor-device/new/${farmUID}`, all],
  ])("is chosen among the farm's others: %s", async (path, others) => {
    renderApp(path, { api: farm() });
    await findMap();
    await waitFor(() => expect(seen()).toEqual(others));
  });

  test('is chosen among those that one may read, and others are not asked for', async () => {
    const permissions = { ...presets.none, sensors: 3, gateways: 1 };
    const api = farm().on('GET /permissions-list', { permissions: [permissionsOn(rakaia, permissions)] });
    renderApp(`/sensor-device/new/${farmUID}`, { api });
    await waitFor(() =>
      expect(seen()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Gateway Shed/),
          expect.stringMatching(/^Tank Tank 1/),
        ]),
      ),
    );
    expect(seen().some((text) => text.startsWith('Sprinkler'))).toBe(false);
    expect(api.calls('GET /irrigation/units')).toHaveLength(0);
  });
});

describe('the map of a place', () => {
  const form = `/irrigation-device/new/${farmUID}`;

  test('waits for its farm: it opens on it, and never on the middle of the country', async () => {
    const views = vi.spyOn(L.Map.prototype, 'setView');
    let answer = (_farm: Farm): void => undefined;
    const api = farm().on('GET /farm', () => new Promise<Farm>((resolve) => (answer = resolve)));
    renderApp(form, { api });
    await screen.findByRole('group', { name: /^Location/ });
    await waitFor(() => expect(api.calls('GET /farm')).toHaveLength(1));
    expect(screen.queryByRole('application')).toBeNull();
    answer(buildFarmRecord(rakaia));
    await findMap();
    const [{ lat, lng }] = views.mock.calls[0] as unknown as [{ lat: number; lng: number }];
    expect({ lat, lng }).toEqual({ lat: rakaia.lat, lng: rakaia.lng });
  });

  test('of a farm that can’t be loaded opens at its pin', async () => {
    const views = vi.spyOn(L.Map.prototype, 'setView');
    renderApp(form, { api: farm().on('GET /farm', new Failure(500, 'Broken.')) });
    await findMap();
    const [{ lat, lng }] = views.mock.calls[0] as unknown as [{ lat: number; lng: number }];
    expect({ lat, lng }).toEqual({ lat: rakaia.lat, lng: rakaia.lng });
  });
});

describe('the view of a place', () => {
  const opened = async (path: string) => {
    const views = vi.spyOn(L.Map.prototype, 'setView');
    const app = renderApp(path, { api: farm() });
    await findMap();
    const [{ lat, lng }, zoom] = views.mock.calls[0] as unknown as [{ lat: number; lng: number }, number];
    app.unmount();
    views.mockRestore();
    return { lat, lng, zoom };
  };

  test('is on the device that has one, and then where the last one was', async () => {
    const { lat, lng } = buildIpc(1);
    const own = await opened(`/irrigation-device/${farmUID}/${uid(1001)}`);
    expect(own).toEqual({ lat, lng, zoom: 17 });
    const next = await opened(`/irrigation-device/new/${farmUID}`);
    expect(next.zoom).toBe(17);
    expect(next.lat).toBeCloseTo(lat ?? 0, 4);
    expect(next.lng).toBeCloseTo(lng ?? 0, 4);
    expect(await opened(`/sensor-device/${farmUID}/${uid(7001)}`)).toMatchObject({ zoom: 17 });
  });
});

describe('a device that is not there', () => {
  test.each([
    ['irrigation-device', 'GET /ipc'],
    ['gateway-device', 'GET /gateway'],
    ['repeater-device', 'GET /repeater'],
    ['sensor-device', 'GET /sensor'],
    ['pois', 'GET /poi'],
  ] as const)('is the page for what is not found: %s', async (path, key) => {
    renderApp(`/${path}/${farmUID}/${uid(4242)}`, { api: farm().on(key, new Failure(404, NOT_FOUND_TEXT)) });
    expect(await screen.findByRole('heading', { name: NOT_FOUND_TEXT })).toBeTruthy();
    expect(screen.getByText('404')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  test('is not taken for one that could not be loaded', async () => {
    const api = farm().on('GET /repeater', new Failure(403, 'No.'));
    renderApp(`/repeater-device/${farmUID}/${uid(6001)}`, { api });
    expect(await screen.findByText("The repeater couldn't be loaded")).toBeTruthy();
  });
});
