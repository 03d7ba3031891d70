import { toUnitRow } from '@headrace/contract/rules/unit-rows';

/** A farm of many sprinklers as the API tells it, made by a rule, so that every run draws the same. */
export const FARM = '000000000000000000000001';
const uid = (n) => n.toString(16).padStart(24, '0');
const CENTRE = { lat: -43.75, lng: 172.02 };
/** Sprinklers stand 40 m apart: degrees of latitude, and of longitude there. */
const STEP = { lat: 0.00036, lng: 0.0005 };
const HOUR = 3_600_000;

export const owner = {
  logged: true,
  token: 'measured',
  name: 'Aroha Ngata',
  email: 'owner@headrace.test',
  type: 'SUBSCRIBER',
  hasMobile: true,
  subscriptionValidUntil: '2099-01-01T00:00:00.000Z',
};

const flags =
  'dashboard sprinklersStatus convertIrrigationDevices sendScheduleToSite sendScheduleToGroup replaceSprinkler pollSprinkler inhibitGroup inhibitSprinkler toggleValve import export notifications manageGroupDevices sendGatewaySettings sendRelayValues';
const resources = 'farms groups placeholders irrigationDevices sensors schedules gateways repeaters pois';
const permissions = {
  farmUID: FARM,
  ...Object.fromEntries(resources.split(' ').map((name) => [name, 15])),
  ...Object.fromEntries(flags.split(' ').map((name) => [name, true])),
};

const walConf = {
  type: 'SystemDesign',
  wal: 5,
  duration: 30,
  sprinklerFlow: 4,
  sprinklerWidth: 35,
  sprinklerLength: 40,
  sprinklerCoverage: 1400,
};
const card = {
  _id: FARM,
  accountId: uid(900),
  name: 'Rākaia Downs',
  description: '',
  icon: 'farm-blue',
  tankOnly: false,
  subscriptionValidUntil: owner.subscriptionValidUntil,
  ...CENTRE,
  walConf,
};

/** One in so many units has each trouble; the rest are well. */
function troubleOf(n) {
  if (n % 41 === 0) return { condition: 1, isOutOfContact: true };
  if (n % 29 === 0) return { condition: 2, hasBatteryError: true, hasError: true, charge: 41 };
  if (n % 37 === 0) return { condition: 2, hasClockError: true, hasError: true, clock: -95 };
  if (n % 53 === 0) return { condition: -1, isInhibited: true };
  if (n % 7 === 0) return { condition: 1000, active: true, valveOpen: true };
  return { condition: 0 };
}

function unit(n, columns, now) {
  const row = Math.floor(n / columns);
  const column = n % columns;
  const trouble = troubleOf(n + 1);
  return {
    id: uid(10_000 + n),
    name: `${String.fromCharCode(65 + (row % 26))}${n + 1}`.slice(0, 5),
    serial: String(40_000 + n),
    mac: `0018B2${(10_000 + n).toString(16).toUpperCase().padStart(10, '0')}`,
    lat: n % 997 === 996 ? null : CENTRE.lat + (columns / 2 - row) * STEP.lat,
    lng: n % 997 === 996 ? null : CENTRE.lng + (column - columns / 2) * STEP.lng,
    channel: 1 + (n % 9),
    farmid: '01:01',
    groups: ['FARM'],
    active: false,
    isInhibited: false,
    isOutOfContact: false,
    hasError: false,
    hasBatteryError: false,
    hasClockError: false,
    hasScheduleError: false,
    isPlaceholder: false,
    isSpareUnit: false,
    isPartSprinkler: false,
    outOfService: false,
    spareStatus: 1,
    charge: 60 + (n % 40),
    clock: n % 5,
    mode: 'run',
    hops: 1 + (n % 4),
    lastpoll: now - (n % 90) * 60_000,
    statustime: now - (trouble.isOutOfContact ? 31 * 24 * HOUR : (n % 600) * 60_000),
    schedulenum: 1,
    schedname: `Set ${1 + (row % 12)}`,
    schedules: 30,
    curCycleDay: 1,
    cycleLen: 1,
    ipc_crc: '1A:2B',
    inc_crc: '1A:2B',
    valveOpen: false,
    activeAt: [{ startAt: now + HOUR, endAt: now + 2 * HOUR, cycle: 1, activeNow: false }],
    ...trouble,
  };
}

const place = (n, name, type, lat, lng, now) => ({
  id: uid(n),
  name,
  serial: `SN${n}`,
  type,
  lat: CENTRE.lat + lat,
  lng: CENTRE.lng + lng,
  statustime: now - 5 * 60_000,
});

/** `count` sprinklers, and some of every other device. */
export function createFarm(count, now) {
  const columns = Math.ceil(Math.sqrt(count));
  const ipcs = Array.from({ length: count }, (_u, n) => unit(n, columns, now));
  const reach = { lat: (columns / 2 + 2) * STEP.lat, lng: (columns / 2 + 2) * STEP.lng };
  const corner = (lat, lng) => ({ lat: CENTRE.lat + lat * reach.lat, lng: CENTRE.lng + lng * reach.lng });
  return {
    name: 'FARM',
    ipcs,
    sensors: [place(5001, 'Bore flow', 6, reach.lat * 0.6, -reach.lng * 0.4, now)],
    repeaters: [place(6001, 'R1', 0, reach.lat * 0.3, reach.lng * 0.5, now)],
    gateways: [place(7001, 'Dairy shed', 0, 0.0002, 0.0003, now)],
    pois: [place(8001, 'Main bore', 0, -reach.lat * 0.5, reach.lng * 0.3, now)],
    boundaries: [corner(1, -1), corner(1, 0.7), corner(0.6, 1), corner(-1, 1), corner(-1, -0.8)],
    props: { channel: 1, farmId: '01:01' },
    ...countsOf(ipcs),
  };
}

function countsOf(ipcs) {
  const count = (is) => ipcs.filter(is).length;
  return {
    numberOfIpcs: ipcs.length,
    ipcsOOC: count(({ isOutOfContact }) => isOutOfContact),
    ipcsActive: count(({ active }) => active),
    ipcsClock: count(({ hasClockError }) => hasClockError),
    ipcsCharge: count(({ hasBatteryError }) => hasBatteryError),
    ipcsSched: 0,
    ipcsSpare: 0,
  };
}

/** Every `nth` unit waters, or stops. */
export function changeFarm(farm, nth, now) {
  const ipcs = farm.ipcs.map((unit, n) =>
    n % nth === 0
      ? { ...unit, condition: unit.condition === 1000 ? 0 : 1000, active: !unit.active, statustime: now }
      : unit,
  );
  return { ...farm, ipcs, ...countsOf(ipcs) };
}

/** As a map is told of it: every unit, without what is as usual, once more with each answer. */
const inShort = ({ ipcs, ...others }) => ({
  ...others,
  version: 'map-speed.1',
  isWhole: true,
  total: ipcs.length,
  units: ipcs.map(toUnitRow),
});

/** What the API answers; `farm` is asked for anew each time. */
export const answers = (farm) => ({
  'GET /settings': () => ({ data: { currFarm: FARM }, version: 6 }),
  'GET /ims-settings': () => ({
    enabledCountryCodes: ['nz'],
    newAccountCreationGlobal: true,
    newFarmCreationGlobal: true,
    appVersion: '1.6.0',
    mapsToken: '',
    vapidPublicKey: '',
    tileUrl: '',
    tileMaxZoom: 19,
    tileAttribution: '',
    demo: false,
  }),
  'GET /farms-card': () => [card],
  'GET /permissions-list': () => ({ permissions: [permissions] }),
  'GET /farm': () => ({ ...card, id: FARM, uid: FARM, boundary: farm().boundaries }),
  'GET /group/units': () => inShort(farm()),
  'POST /analytics/page-view': () => ({ success: true }),
});
