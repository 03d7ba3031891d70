import type { Api } from '@headrace/contract/api';
import type { Gateway } from '@headrace/contract/gateways';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import type { Poi } from '@headrace/contract/pois';
import type { Repeater } from '@headrace/contract/repeaters';
import { toListedRow } from '@headrace/contract/rules/listed-units';
import type { SensorRecord } from '@headrace/contract/sensors';
import { stubCanvas } from '../../map/fake-canvas.ts';
import { FakeApi } from '../../testing/fake-api.ts';
import { HOUR, rakaia, uid } from '../../testing/fixtures.ts';

/** Devices of Rākaia Downs for tests, by number: uids from 1000 on for sprinklers, 6000 repeaters, 7000 sensors and so on. */
const at = '2026-01-14T02:00:00.000Z';
export const farmUID = rakaia._id;
export const pumpGroup = uid(8001);
export const riverGroup = uid(8002);
export const shedGateway = uid(5001);

const common = (n: number) => ({
  farmUID,
  description: '',
  lat: -43.75,
  lng: 172.02 + n / 10_000,
  version: 1,
});

export function buildIpc(n: number, over: Partial<Ipc> = {}): Ipc {
  return {
    ...common(n),
    _id: uid(1000 + n),
    id: uid(1000 + n),
    name: `A${n}`,
    serialNumber: `IPC${10_000 + n}`,
    macAddress: (0x0004a3000000 + n).toString(16).toUpperCase().padStart(12, '0'),
    farmId: '01:01',
    channel: 1,
    commsMode: 1,
    type: 0,
    groups: [],
    gatewayUID: shedGateway,
    isSpareUnit: false,
    isPartSprinkler: false,
    isPOI: true,
    isPlaceholder: false,
    outOfService: false,
    reconfigure: false,
    spareStatus: 1,
    spareReasons: [],
    mode: 'Local',
    pollTime: Date.now() - HOUR,
    statusTime: Date.now() - HOUR,
    charge: 88,
    replaceBatteryAt: null,
    updatedAt: at,
    ...over,
  };
}

export const buildGateway = (n: number, over: Partial<Gateway> = {}): Gateway => ({
  _id: uid(5000 + n),
  farmUID,
  name: n === 1 ? 'Shed' : `Gateway ${n}`,
  siteName: rakaia.name,
  description: '',
  macAddress: `0004A30000F${n}`,
  serialNumber: `INC00${n}`,
  type: 0,
  location: { lat: rakaia.lat + 0.01, lng: rakaia.lng },
  settings: {},
  info: {},
  latestStatus: [],
  statusTime: new Date(Date.now() - HOUR).toISOString(),
  connected: true,
  channel: 1,
  spfactor: 10,
  sync: false,
  version: 1,
  updatedAt: at,
  ...over,
});

export const buildRepeater = (n: number, over: Partial<Repeater> = {}): Repeater => ({
  ...common(n),
  _id: uid(6000 + n),
  name: `R${n}`,
  serialNumber: `RPT100${n}`,
  macAddress: `0004A30000E${n}`,
  farmId: '01:01',
  gatewayUID: shedGateway,
  charge: 92,
  chargeAt: Date.now() - HOUR,
  pollTime: Date.now() - HOUR,
  statusTime: Date.now() - HOUR,
  replaceBatteryAt: null,
  updatedAt: at,
  ...over,
});

export const buildSensor = (n: number, over: Partial<SensorRecord> = {}): SensorRecord => ({
  ...common(n),
  _id: uid(7000 + n),
  name: `Tank ${n}`,
  serialNumber: `TLM00${n}`,
  macAddress: `0004A30000D${n}`,
  type: 100,
  channel: 3,
  settings: { offset: 500, height: 3000, toplevel: 2500, volume: 30_000, spfactor: 10 },
  gatewayUID: null,
  statusTime: Date.now() - HOUR,
  status: 2,
  createdAt: at,
  updatedAt: at,
  ...over,
});

export const buildPoi = (n: number, over: Partial<Poi> = {}): Poi => ({
  ...common(n),
  _id: uid(9000 + n),
  name: `Gate ${n}`,
  icon: 'gate',
  groups: [],
  createdAt: at,
  updatedAt: at,
  ...over,
});

const walConfig = {
  type: 'SystemDesign',
  wal: 5,
  duration: 30,
  sprinklerFlow: 4,
  sprinklerWidth: 35,
  sprinklerLength: 40,
  sprinklerCoverage: 1400,
} as const;
const group = (id: string, name: string) => ({
  _id: id,
  id,
  farmUID,
  name,
  description: '',
  isLateral: false,
  walConfig,
  amountOfIpc: 0,
  amountOfIpcInhibited: 0,
  version: 1,
  createdAt: at,
  updatedAt: at,
});

export const farmOfList = {
  uid: farmUID,
  name: rakaia.name,
  description: '',
  icon: rakaia.icon,
  lat: rakaia.lat,
  lng: rakaia.lng,
  boundary: [],
};

/** The reply of the list of sprinklers to a page that knows none of them. */
export const unitList = (ipcs: readonly Ipc[], version = 'run.1'): Api['GET /irrigation/units']['reply'] => ({
  version,
  isWhole: true,
  total: ipcs.length,
  units: ipcs.map(toListedRow),
});

export interface FarmDevices {
  ipcs?: readonly Ipc[];
  gateways?: readonly Gateway[];
  repeaters?: readonly Repeater[];
  sensors?: readonly SensorRecord[];
  pois?: readonly Poi[];
  isBehind?: boolean;
}

/** A server that knows these devices, each also by itself. */
export function deviceApi(devices: FarmDevices = {}): FakeApi {
  // Forms show a map.
  stubCanvas();
  const { ipcs = [], repeaters = [], sensors = [], pois = [], isBehind = false } = devices;
  const { gateways = [buildGateway(1)] } = devices;
  const one = <T extends { _id: string }>(items: readonly T[], id: string): T => {
    const found = items.find(({ _id }) => _id === id);
    if (!found) throw new Error(`No device ${id}`);
    return found;
  };
  return new FakeApi()
    .on('GET /irrigation/units', unitList(ipcs))
    .on('GET /irrigation/devices/has-changes', { sync: isBehind })
    .on('GET /gateway/devices', { ...farmOfList, gateways: [...gateways] })
    .on('GET /repeater/devices', {
      ...farmOfList,
      farmId: '01:01',
      sync: isBehind,
      repeaters: [...repeaters],
    })
    .on('GET /sensor/devices', { ...farmOfList, sensors: [...sensors] })
    .on('GET /pois', { pois: [...pois] })
    .on('GET /groups', { groups: [group(pumpGroup, 'Pump'), group(riverGroup, 'River')] })
    .on('GET /integration-keys', { keys: [] })
    .on('GET /changes', { changes: [], more: false })
    .on('GET /ipc', ({ query }) => ({
      ...one(ipcs, query.deviceId),
      location: null,
      parcels: [],
      settings: {},
    }))
    .on('GET /gateway', ({ query }) => one(gateways, query.deviceId))
    .on('GET /repeater', ({ query }) => one(repeaters, query.deviceId))
    .on('GET /sensor', ({ query }) => one(sensors, query.deviceId))
    .on('GET /sensor-history/:id', { unit: '%', history: [] })
    .on('GET /series/list', { series: [] })
    .on('GET /poi', ({ query }) => one(pois, query.poiUID))
    .on('PUT /ipc/last-farmid-and-channel', { farmId: '01:02', channel: 4 })
    .on('GET /mac', { mac: '', currentlyActive: false, isSpare: false, name: '', farmName: '', farmUID: '' });
}
