import type { WateringProof } from '@headrace/contract/irr-diary';
import type { Api } from '@headrace/contract/api';
import type { LoginReply } from '@headrace/contract/accounts';
import type { Attention, AttentionDevice } from '@headrace/contract/attention';
import type { Farm, FarmCard, FarmSummary } from '@headrace/contract/farms';
import { APP_VERSION, SETTINGS_VERSION } from '@headrace/contract/limits';
import { ownerPermissions, presets, type Permissions } from '@headrace/contract/permissions';

/** Small true-to-life data for tests; each builder takes what the test is about. */

/** A public identifier: 24 hex characters, by number. */
export const uid = (n: number): string => n.toString(16).padStart(24, '0');
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const buildLogin = (over: Partial<LoginReply> = {}): LoginReply => ({
  name: 'Aroha Ngata',
  email: 'owner@headrace.test',
  token: 'token-of-aroha',
  type: 'SUBSCRIBER',
  hasMobile: true,
  sendSms: false,
  sendPush: false,
  sendEmail: false,
  sendAction: true,
  deviceId: null,
  subscriptionValidUntil: '2099-01-01T00:00:00.000Z',
  mustChangePassword: false,
  isStaff: false,
  ...over,
});

const walConf: FarmCard['walConf'] = {
  type: 'SystemDesign',
  wal: 5,
  duration: 30,
  sprinklerFlow: 4,
  sprinklerWidth: 35,
  sprinklerLength: 40,
  sprinklerCoverage: 1400,
};

export const buildFarm = (n: number, over: Partial<FarmCard> = {}): FarmCard => ({
  _id: uid(n),
  accountId: uid(900),
  name: `Farm ${n}`,
  description: '',
  icon: 'farm-blue',
  tankOnly: false,
  subscriptionValidUntil: '2099-01-01T00:00:00.000Z',
  lat: -43.75,
  lng: 172.02,
  walConf,
  ...over,
});

export const rakaia = buildFarm(1, {
  name: 'Rākaia Downs',
  description: 'Dairy, 420 ha by the river',
  icon: 'farm-blue',
});
export const waihao = buildFarm(2, {
  name: 'Waihao Flats',
  description: 'Sheep and lucerne',
  icon: 'farm-green',
});
export const mallee = buildFarm(3, {
  name: 'Mallee Run',
  description: 'Stock water only',
  icon: 'farm-orange',
  tankOnly: true,
});

export const buildSummary = (farm: FarmCard, over: Partial<FarmSummary> = {}): FarmSummary => {
  const units = { tanks: 6, meters: 0, sites: 0, gateways: 2, repeaters: 0, sprinklers: 0 };
  const { attention = [] } = over;
  return {
    farmUID: farm._id,
    ...units,
    others: 0,
    known: units,
    standing: attention.length > 0 ? 'attention' : 'well',
    attention,
    lowestTank: null,
    flow: null,
    driestSite: null,
    lastContact: ago(6 * MINUTE),
    ...over,
  };
};

/** Something wrong with devices of these names: tanks, if nothing else is said. */
export const buildAttention = (
  kind: Attention['kind'],
  names: readonly string[],
  over: Partial<AttentionDevice> = {},
): Attention => ({
  kind,
  count: names.length,
  devices: names.map((name, n) => ({
    device: 'tank',
    _id: uid(500 + n),
    name,
    percent: null,
    isOld: false,
    ...over,
  })),
  sprinklers: 0,
});

/** The whole record of a farm, in the zone of the South Island. */
export const buildFarmRecord = (card: FarmCard, over: Partial<Farm> = {}): Farm => ({
  id: card._id,
  uid: card._id,
  accountId: card.accountId,
  name: card.name,
  description: card.description,
  address: { fullAddress: '', street: '', suburb: '', city: '', zip: '', country: '' },
  lat: card.lat,
  lng: card.lng,
  size: 420,
  supplier: '',
  irrigationArea: 0,
  boundary: [
    { lat: -43.74, lng: 172.0 },
    { lat: -43.74, lng: 172.04 },
    { lat: -43.77, lng: 172.04 },
    { lat: -43.77, lng: 172.0 },
  ],
  icon: card.icon,
  tankOnly: card.tankOnly,
  v3Site: false,
  walConfig: card.walConf,
  timezone: { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true },
  version: 1,
  createdAt: '2026-01-05T02:00:00.000Z',
  updatedAt: '2026-01-05T02:00:00.000Z',
  ...over,
});

export type PermissionRow = Api['GET /permissions-list']['reply']['permissions'][number];
export const permissionsOn = (
  farm: FarmCard,
  permissions: Permissions = ownerPermissions,
): PermissionRow => ({ ...permissions, farmUID: farm._id });
export const nothingOn = (farm: FarmCard): PermissionRow => permissionsOn(farm, presets.none);

export const globalSettings: Api['GET /ims-settings']['reply'] = {
  enabledCountryCodes: ['au', 'nz'],
  newAccountCreationGlobal: true,
  newFarmCreationGlobal: true,
  appVersion: APP_VERSION,
  mapsToken: '',
  vapidPublicKey: '',
  tileUrl: '',
  tileAttribution: '',
  tileMaxZoom: 19,
  demo: false,
  broker: { host: '', port: 1883, tls: false },
};

export const farms = [rakaia, waihao, mallee];
export const summaries = [
  buildSummary(rakaia, { sprinklers: 42 }),
  buildSummary(waihao, {
    attention: [
      buildAttention('lowLevel', ['Willows'], { percent: 17 }),
      buildAttention('outOfContact', ['Back road']),
    ],
    lastContact: ago(11 * MINUTE),
  }),
  buildSummary(mallee, {
    attention: [buildAttention('gatewayOffline', ['Shed'], { device: 'gateway' })],
    lastContact: ago(26 * HOUR),
  }),
];
export const storedSettings: Api['GET /settings']['reply'] = { data: null, version: SETTINGS_VERSION };

/** A tank map with nothing on it. */
export const emptySite: Api['GET /tank/site-info']['reply'] = {
  name: rakaia.name,
  centre: { lat: rakaia.lat, lng: rakaia.lng },
  boundaries: [],
  gateways: [],
  repeaters: [],
  pois: [],
  sensorsLegacy: [],
  sensors: [],
};

export const noSprinklers: Api['GET /ipc/status']['reply'] = {
  failed: 0,
  neverContacted: 0,
  ok: 0,
  inhibited: 0,
  active: 0,
  attention: 0,
  total: 0,
  stopWanted: 0,
  watering: { said: 0, planned: 0, overdue: 0, unplanned: 0 },
  next: null,
  behind: [],
};

/** What one unit would be sent, with its gateway there. */
export const nothingInTheWay: Api['POST /commands/plan']['reply'] = {
  total: 1,
  inStep: 0,
  toDo: 1,
  outOfContact: 0,
  inhibited: 0,
  notInSet: 0,
  inTime: null,
  finish: null,
  gateways: [],
  ahead: [],
  findings: [],
};

export const noHealth: Api['GET /fmhealth/health']['reply'] = {
  minClock: null,
  maxClock: null,
  curClock: null,
  minBattery: null,
  maxBattery: null,
  curBattery: null,
  minSchedule: null,
  maxSchedule: null,
  curSchedule: null,
  inContact: 0,
  total: 0,
  days: 0,
  since: null,
};
export const noComms: Api['GET /fmhealth/comms']['reply'] = {
  outOfContact: 0,
  regular: 0,
  occasional: 0,
  total: 0,
  silent: 0,
  cause: null,
  units: { outOfContact: [], occasional: [], outOfService: [] },
};

export const emptyGroup: Api['GET /group/units']['reply'] = {
  version: 'test.1',
  isWhole: true,
  total: 0,
  units: [],
  name: 'FARM',
  sensors: [],
  repeaters: [],
  gateways: [],
  pois: [],
  boundaries: [],
};

/** Of a farm that waters nothing. */
export const noWatering: WateringProof = {
  round: null,
  planned: 0,
  kept: 0,
  watered: 0,
  counts: {
    watered: 0,
    short: 0,
    long: 0,
    late: 0,
    missed: 0,
    'not known': 0,
    'by hand': 0,
    unplanned: 0,
  },
  meanMm: null,
  evenness: null,
  measured: 0,
  litres: { least: 0, believed: 0, most: 0 },
  missed: 0,
  lines: [],
  troubles: [],
};
