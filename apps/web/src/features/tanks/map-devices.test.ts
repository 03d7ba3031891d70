import { expect, test } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { SitePlace, TankSummary } from '@headrace/contract/tanks';
import { HOUR, MINUTE, uid } from '../../testing/fixtures.ts';
import { buildSite, buildTank } from '../../testing/tank-fixtures.ts';
import { mapDevices, markerOf } from './map-devices.ts';

const now = Date.parse('2026-11-21T05:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();
const location = { lat: -43.75, lng: 172.02 };
const place = (n: number, name: string): SitePlace => ({
  _id: uid(n),
  name,
  description: '',
  serialNumber: '',
  location,
  statusTime: null,
});
const gateway = (n: number, hours: number) => ({
  ...place(n, `${hours} h`),
  type: gatewayTypes.INC,
  statusTime: before(hours * HOUR),
  connected: false,
});

const level = { value: 12, valueInLitres: 3000, invalid: false };
const tank = (n: number, over: Partial<TankSummary> = {}) =>
  buildTank(n, { statusTime: before(MINUTE), ...over });
const tanks = [
  tank(1),
  tank(2, { level }),
  tank(3, { batteryVoltage: 3.49 }),
  tank(4, { level, statusTime: before(3 * HOUR + 1) }),
];
const site = buildSite({
  gateways: [gateway(2001, 24), gateway(2002, 25)],
  repeaters: [place(2501, 'Hill')],
  pois: [place(3001, 'Main bore')],
});

test('markers have the colour of their condition: a tank of its contact, battery and level', () => {
  const markers = mapDevices(tanks, site, { now, displayPOI: true, found: new Map() }).map((device) =>
    markerOf(device, now),
  );
  expect(markers.map((marker) => [marker?.name, marker?.shape, marker?.condition])).toEqual([
    ['Tank 1', 'tank', 'ok'],
    ['Tank 2', 'tank', 'caution'],
    ['Tank 3', 'tank', 'caution'],
    ['Tank 4', 'tank', 'issue'],
    ['24 h', 'gateway', 'ok'],
    ['25 h', 'gateway', 'issue'],
    // It was never heard.
    ['Hill', 'repeater', 'issue'],
    ['Main bore', 'poi', 'poi'],
  ]);
});

test('points of interest are there only while they are to be shown', () => {
  const kinds = mapDevices(tanks, site, { now, displayPOI: false, found: new Map() }).map(({ kind }) => kind);
  expect(kinds).not.toContain('poi');
  expect(kinds).toContain('repeater');
});

test('what has no place has no marker', () => {
  const [device] = mapDevices([tank(1, { location: null })], undefined, {
    now,
    displayPOI: true,
    found: new Map(),
  });
  expect(device && markerOf(device, now)).toBeNull();
});
