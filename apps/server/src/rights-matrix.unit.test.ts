import { describe, expect, it } from 'vitest';
import { type ApiKey, endpoints } from '@headrace/contract/api';
import { commandTypes } from '@headrace/contract/command-types';
import { type Endpoint, needOf } from '@headrace/contract/endpoint';
import { meets, type Need, presets, type Right, staffPermissions } from '@headrace/contract/permissions';

/**
 * Who may call what, written by hand from the permission matrix of the specification's decisions, not from the
 * declarations: m farm manager, a agent (farms read-only), g guest (read-only), s support staff without a session.
 */
const allowed: [who: string, keys: ApiKey[]][] = [
  [
    'mags',
    [
      'GET /farm',
      'GET /farm-timezone',
      'GET /changes',
      'GET /jobs',
      'GET /farm/usage',
      'GET /dead-letters',
      'GET /dead-letter',
      'POST /undo',
      'POST /devices/move',
      'GET /irrigation/devices',
      'GET /irrigation/units',
      'GET /irrigation/devices/has-changes',
      'GET /ipc',
      'GET /ipc/spare-units',
      'GET /ipc/farm-ipcs-for-repeater',
      'GET /farm/podsinfo',
      'GET /sensor',
      'GET /sensor/devices',
      'GET /sensor/list',
      'GET /level/basic-info',
      'GET /level/full-info',
      'GET /lvl/suminfo',
      'GET /reportspdf/tanks',
      'GET /reports/tanks.csv',
      'GET /lvl/history',
      'GET /lvl/waterflow',
      'GET /flow/history',
      'GET /flow/suminfo',
      'GET /flow/histories',
      'GET /telemetry/sites',
      'GET /telemetry/soil-moisture',
      'GET /headline/temperature',
      'GET /headline/accumulated-rainfall',
      'GET /headline/tank',
      'GET /headline/tankflow',
      'GET /headline/flow',
      'GET /headline/accumulated-flow',
      'GET /headline/io',
      'GET /headline/metrics',
      'GET /headline/metric',
      'GET /gateway/monitor',
      'GET /sensor/monitor',
      'GET /sensor-history/:id',
      'GET /series/list',
      'GET /series',
      'GET /insights',
      'GET /weather/forecast',
      'GET /tank/battery',
      'GET /tank/site-info',
      'GET /sensor/decoding',
      'GET /gateway',
      'GET /gateway/devices',
      'GET /integration-keys',
      'GET /repeater',
      'GET /repeater/devices',
      'GET /farm/groups-and-ipcs-for-repeater',
      'GET /poi',
      'GET /pois',
      'GET /groups',
      'GET /groups-card',
      'GET /group',
      'GET /group/info',
      'GET /group/units',
      'GET /ipc/status',
      'GET /ipc/runs',
      'GET /backup/list',
      'GET /irr-diary-logs',
      'GET /irr-diary-logs/csv',
      'GET /reportspdf/irrdiary/summary',
      'GET /reports/irrigation-diary.csv',
      'GET /reports/operating-time',
      'GET /reportspdf/operatingtime',
      'GET /reports/operating-time.csv',
      'GET /reportspdf/farmhisttrend',
      'GET /reports/history-trend.csv',
      'GET /irr-diary-logs/last',
      'GET /irr-diary-logs/last/csv',
      'GET /irr-diary-logs/late-closers',
      'GET /flow/check',
      'GET /ipc/fullinfo',
      'GET /ipc/history',
      'GET /walk-list',
      'GET /gateway/radio',
      'GET /fmhealth/health',
      'GET /fmhealth/comms',
      'GET /fmhealth/historybytype',
      'GET /ipc/batterylife',
      'GET /repeater/batterylife',
      'GET /schedules',
      'GET /schedules/list',
      'GET /schedules/timeline',
      'POST /schedules/preview',
      'GET /farm/supply',
      'GET /schedules/takes',
      'GET /irrigation-advice',
      'GET /irrigation-advice/ledger',
      'GET /schedules/sets',
      'GET /schedules/set',
      'GET /schedules/compare',
      'GET /schedule-template/farm-details',
      'GET /schedule-templates',
      'GET /schedule-template',
      'POST /schedule-template/compute',
      'GET /irrigation/status',
      'GET /commands',
      'GET /command',
      'GET /commands/unseen',
      'GET /commands/units',
      'POST /commands/seen',
      'GET /paddock-holds',
      'GET /water-take',
      'GET /water-take/rows',
      'GET /water-take/days',
      'GET /codecs',
      'GET /codec',
    ],
  ],
  [
    'ma',
    [
      'POST /import/plan',
      'POST /import/apply',
      'POST /import/file',
      'GET /export/podlist',
      'GET /export/rptrlist',
      'GET /export/schedules',
      'GET /export/site-json',
      'GET /export/devices.csv',
      'GET /export/farm.kml',
      'GET /export/farm.geojson',
      'GET /export/readings.csv',
      'POST /mac/contest',
      'GET /water-take/pack',
      'POST /water-take/pack',
      'GET /water-take/packs',
      'GET /water-take/packs/filled',
      'GET /water-take/pack/file',
      'POST /ipc',
      'PUT /ipc',
      'DELETE /ipc',
      'POST /ipc/bulk-edit',
      'POST /ipc/bulk-check',
      'POST /ipc/bulk-add',
      'POST /ipc/bulk-delete',
      'PUT /ipc/flag-as-spare',
      'PUT /ipc/flag-as-part-sprinkler',
      'PUT /ipc/flag-reconfigure',
      'POST /ipc/replace-battery',
      'GET /irrigation/placed',
      'DELETE /irrigation/reset-location',
      'DELETE /irrigation/reset-all-location',
      'PUT /ipc/last-farmid-and-channel',
      'POST /ipc/reset-schedules-index',
      'PUT /placeholder/convert-to-placeholder',
      'PUT /placeholder/convert-to-poi',
      'PUT /placeholder/return-to-service',
      'POST /poi/convert',
      'POST /poi/sensorconv',
      'POST /sensor',
      'PUT /sensor',
      'DELETE /sensor',
      'POST /sensor/settingsupdate',
      'POST /sensor/configupdate',
      'DELETE /sensor/configupdate',
      'POST /gateway/iosettings',
      'PUT /sensor/decoding',
      'POST /sensor/decoding/anew',
      'POST /gateway',
      'PUT /gateway',
      'DELETE /gateway',
      'POST /gateway/rotate-key',
      'POST /integration-key',
      'DELETE /integration-key',
      'POST /repeater',
      'PUT /repeater',
      'DELETE /repeater',
      'POST /repeater/replace-battery',
      'POST /schedule-template',
      'PUT /schedule-template',
      'PUT /irrigation-advice/settings',
      'PUT /irrigation-advice/day',
      'PUT /irrigation-advice/note',
      'DELETE /schedule-template',
      'POST /schedule-template/clone',
      'POST /schedules/create',
      'DELETE /schedules',
      'POST /poi',
      'PUT /poi',
      'DELETE /poi',
      'POST /group',
      'PUT /group',
      'GET /group/devices',
      'PUT /group/devices/add',
      'PUT /group/devices/remove',
      'PUT /group/devices/remove-all',
      'POST /codec',
      'PUT /codec',
      'DELETE /codec',
      'POST /codec/try',
      'POST /dead-letters/replay',
      'POST /paddock-hold',
      'PUT /paddock-hold',
      'POST /paddock-hold/end',
      'POST /water-take',
      'PUT /water-take',
      'DELETE /water-take',
      'POST /water-take/reading',
      'DELETE /water-take/reading',
      'PUT /water-take/gap',
      'GET /flow/pipes',
    ],
  ],
  // By the flag notifications, which guests have and support has not.
  [
    'mag',
    [
      'GET /reports/plan-annex',
      'GET /reportspdf/plan-annex',
      'GET /reports/plan-annex.csv',
      'GET /alerts',
      'GET /alert/devices',
      'GET /alert',
      'POST /alert',
      'PUT /alert',
      'DELETE /alert',
      'GET /alert/incidents',
      'GET /alert/incident',
      'POST /alert/answer',
      'POST /alert/snooze',
      'GET /alert/people',
      'POST /alert/trial',
      'GET /alert/lately',
      'POST /alert/pause',
      'DELETE /alert/pause',
      'GET /alert/people',
      'POST /alert/trial',
      'GET /alert/lately',
      'POST /alert/pause',
      'DELETE /alert/pause',
    ],
  ],
  // The agent's farms are read-only: neither the farm nor, by the specification, its groups are deleted.
  [
    'm',
    [
      'PUT /farm',
      'POST /backup',
      'POST /backup/plan',
      'PUT /backup/restore',
      'DELETE /backup',
      'PUT /farm/supply',
      'POST /farm-timezone',
      'PUT /farm-timezone',
      'DELETE /farm',
      'GET /farm/contents',
      'DELETE /group',
    ],
  ],
];

/**
 * Presets give every resource the same level, so they can't tell one resource from another, nor creating from deleting:
 * the right that each call needs, in the words of the same matrix.
 */
const exactly: Record<string, ApiKey[]> = {
  'farms Read': [
    'GET /farm',
    'GET /farm-timezone',
    'GET /changes',
    'GET /jobs',
    'POST /undo',
    'POST /devices/move',
    'GET /farm/usage',
  ],
  // What gateways and sensors said.
  'gateways Read or sensors Read': ['GET /dead-letters', 'GET /dead-letter'],
  'gateways Edit or sensors Edit': ['POST /dead-letters/replay'],
  'farms Edit': ['PUT /farm', 'PUT /farm/supply', 'POST /farm-timezone', 'PUT /farm-timezone'],
  'farms Delete': ['DELETE /farm', 'GET /farm/contents', 'DELETE /group'],
  'irrigationDevices Read': [
    'GET /irrigation/devices',
    'GET /irrigation/units',
    'GET /ipc',
    'GET /ipc/spare-units',
    'GET /ipc/farm-ipcs-for-repeater',
    'GET /farm/podsinfo',
  ],
  // Both pages show them, and ask whether they have changed.
  'irrigationDevices Read or repeaters Read': ['GET /irrigation/devices/has-changes'],
  'irrigationDevices Create or repeaters Create or sensors Create': ['POST /mac/contest'],
  'irrigationDevices Create': ['POST /ipc', 'POST /ipc/bulk-check', 'POST /ipc/bulk-add'],
  'irrigationDevices Edit': [
    'PUT /ipc',
    'POST /ipc/bulk-edit',
    'PUT /ipc/flag-as-spare',
    'PUT /ipc/flag-as-part-sprinkler',
    'PUT /ipc/flag-reconfigure',
    'GET /irrigation/placed',
    'DELETE /irrigation/reset-location',
    'DELETE /irrigation/reset-all-location',
    'PUT /ipc/last-farmid-and-channel',
    'POST /ipc/reset-schedules-index',
  ],
  'irrigationDevices Edit and irrigationDevices Read': ['POST /ipc/replace-battery'],
  'irrigationDevices Delete': ['DELETE /ipc', 'POST /ipc/bulk-delete'],
  // The specification gives commands no reader's right: who sees what they act on sees them.
  'irrigationDevices Read or dashboard or sprinklersStatus': [
    'GET /commands',
    'GET /command',
    'GET /commands/unseen',
    'GET /commands/units',
    'POST /commands/seen',
  ],
  'irrigationDevices Read or schedules Read or dashboard or sprinklersStatus': ['GET /paddock-holds'],
  notifications: [
    'GET /alerts',
    'GET /alert/devices',
    'GET /alert',
    'POST /alert',
    'PUT /alert',
    'DELETE /alert',
    'GET /alert/incidents',
    'GET /alert/incident',
    'POST /alert/answer',
    'POST /alert/snooze',
    'GET /alert/people',
    'POST /alert/trial',
    'GET /alert/lately',
    'POST /alert/pause',
    'DELETE /alert/pause',
  ],
  inhibitGroup: ['POST /paddock-hold', 'PUT /paddock-hold', 'POST /paddock-hold/end'],
  'convertIrrigationDevices and placeholders Edit': [
    'PUT /placeholder/convert-to-placeholder',
    'PUT /placeholder/convert-to-poi',
    'PUT /placeholder/return-to-service',
  ],
  'convertIrrigationDevices and pois Delete and irrigationDevices Create': ['POST /poi/convert'],
  'convertIrrigationDevices and pois Delete and sensors Create': ['POST /poi/sensorconv'],
  'sensors Read': [
    'GET /sensor',
    'GET /sensor/devices',
    'GET /sensor/list',
    'GET /sensor/monitor',
    'GET /sensor-history/:id',
    'GET /series/list',
    'GET /series',
    'GET /sensor/decoding',
    'GET /codecs',
    'GET /codec',
    'GET /level/basic-info',
    'GET /level/full-info',
    'GET /lvl/history',
    'GET /lvl/waterflow',
    'GET /tank/battery',
    'GET /flow/history',
    'GET /flow/histories',
    'GET /telemetry/soil-moisture',
    'GET /water-take',
    'GET /water-take/rows',
    'GET /water-take/days',
  ],
  'sensors Read and export': [
    'GET /water-take/pack',
    'POST /water-take/pack',
    'GET /water-take/packs',
    'GET /water-take/packs/filled',
    'GET /water-take/pack/file',
  ],
  'sensors Create': ['POST /sensor'],
  'sensors Edit': [
    'PUT /sensor',
    'POST /sensor/settingsupdate',
    'POST /sensor/configupdate',
    'DELETE /sensor/configupdate',
    'PUT /sensor/decoding',
    'POST /sensor/decoding/anew',
    'POST /codec',
    'PUT /codec',
    'DELETE /codec',
    'POST /codec/try',
    'POST /water-take',
    'PUT /water-take',
    'POST /water-take/reading',
    'DELETE /water-take/reading',
    'PUT /water-take/gap',
  ],
  'sensors Delete': ['DELETE /sensor', 'DELETE /water-take'],
  // Who sees the dashboard sees its numbers; histories and single sensors are the sensors'.
  'dashboard or sensors Read': [
    'GET /lvl/suminfo',
    'GET /reportspdf/tanks',
    'GET /reports/tanks.csv',
    'GET /flow/suminfo',
    'GET /telemetry/sites',
    'GET /headline/temperature',
    'GET /headline/accumulated-rainfall',
    'GET /headline/tank',
    'GET /headline/tankflow',
    'GET /headline/flow',
    'GET /headline/accumulated-flow',
    'GET /headline/io',
    'GET /headline/metrics',
    'GET /headline/metric',
    'GET /insights',
    'GET /weather/forecast',
  ],
  'dashboard or sprinklersStatus or sensors Read': ['GET /tank/site-info'],
  'dashboard or sprinklersStatus or gateways Read': ['GET /gateway/monitor'],
  'gateways Read': ['GET /gateway', 'GET /gateway/devices', 'GET /gateway/radio', 'GET /integration-keys'],
  'gateways Create': ['POST /gateway', 'POST /integration-key'],
  'gateways Edit': ['PUT /gateway', 'POST /gateway/rotate-key'],
  'gateways Delete': ['DELETE /gateway', 'DELETE /integration-key'],
  sendRelayValues: ['POST /gateway/iosettings'],
  'repeaters Read': [
    'GET /repeater/batterylife',
    'GET /repeater',
    'GET /repeater/devices',
    'GET /farm/groups-and-ipcs-for-repeater',
  ],
  'repeaters Create': ['POST /repeater'],
  'repeaters Edit': ['PUT /repeater', 'POST /repeater/replace-battery'],
  'repeaters Delete': ['DELETE /repeater'],
  'pois Read': ['GET /poi', 'GET /pois'],
  'pois Create': ['POST /poi'],
  'pois Edit': ['PUT /poi'],
  'pois Delete': ['DELETE /poi'],
  'groups Read': ['GET /groups', 'GET /groups-card', 'GET /group'],
  'groups Create': ['POST /group'],
  'groups Edit': ['PUT /group'],
  manageGroupDevices: [
    'GET /group/devices',
    'PUT /group/devices/add',
    'PUT /group/devices/remove',
    'PUT /group/devices/remove-all',
  ],
  'schedules Read': [
    'GET /schedules',
    'GET /schedules/list',
    'GET /schedules/timeline',
    'POST /schedules/preview',
    'GET /farm/supply',
    'GET /schedules/takes',
    'GET /irrigation-advice',
    'GET /irrigation-advice/ledger',
    'GET /schedules/sets',
    'GET /schedules/set',
    'GET /schedules/compare',
    'GET /schedule-template/farm-details',
    'GET /schedule-templates',
    'GET /schedule-template',
    'POST /schedule-template/compute',
  ],
  'schedules Create': ['POST /schedule-template', 'POST /schedules/create'],
  'schedules Read and schedules Create': ['POST /schedule-template/clone'],
  'schedules Edit': [
    'PUT /schedule-template',
    'PUT /irrigation-advice/settings',
    'PUT /irrigation-advice/day',
    'PUT /irrigation-advice/note',
  ],
  'schedules Delete': ['DELETE /schedule-template', 'DELETE /schedules'],
  sprinklersStatus: ['GET /group/info', 'GET /group/units', 'GET /irrigation/status'],
  import: ['POST /import/plan', 'POST /import/apply', 'POST /import/file'],
  export: [
    'GET /export/podlist',
    'GET /export/rptrlist',
    'GET /export/schedules',
    'GET /export/site-json',
    'GET /export/devices.csv',
    'GET /export/farm.kml',
    'GET /export/farm.geojson',
    'GET /export/readings.csv',
  ],
  'dashboard and sensors Read and schedules Read and notifications': [
    'GET /reports/plan-annex',
    'GET /reportspdf/plan-annex',
    'GET /reports/plan-annex.csv',
  ],
  'dashboard and farms Edit': ['POST /backup', 'POST /backup/plan', 'PUT /backup/restore', 'DELETE /backup'],
  dashboard: [
    'GET /backup/list',
    'GET /irr-diary-logs',
    'GET /irr-diary-logs/csv',
    'GET /reportspdf/irrdiary/summary',
    'GET /reports/irrigation-diary.csv',
    'GET /reports/operating-time',
    'GET /reportspdf/operatingtime',
    'GET /reports/operating-time.csv',
    'GET /reportspdf/farmhisttrend',
    'GET /reports/history-trend.csv',
    'GET /irr-diary-logs/late-closers',
  ],
  // Wider than the matrix: who sees a sprinkler on the map opens it there.
  'irrigationDevices Read or sprinklersStatus': [
    'GET /ipc/fullinfo',
    'GET /ipc/history',
    'GET /ipc/batterylife',
    'GET /walk-list',
  ],
  // Who may open a valve is told what else runs on its pipes.
  'toggleValve and irrigationDevices Edit': ['GET /flow/pipes'],
  // Wider than the matrix: the dashboard's counts of sprinklers come from it.
  'dashboard or sprinklersStatus': [
    'GET /ipc/status',
    'GET /ipc/runs',
    'GET /irr-diary-logs/last',
    'GET /irr-diary-logs/last/csv',
    'GET /flow/check',
    'GET /fmhealth/health',
    'GET /fmhealth/comms',
    'GET /fmhealth/historybytype',
  ],
};

/** A need as the matrix says it. */
function needText(need: Need | undefined): string {
  if (!need) return 'no such call';
  const words = (rights: readonly Right[]) =>
    rights.map((right) => ('flag' in right ? right.flag : `${right.resource} ${right.level}`));
  if ('allOf' in need) return words(need.allOf).join(' and ');
  return 'anyOf' in need ? words(need.anyOf).join(' or ') : 'no right on the farm';
}

/** Commands by who may send them; Ping is for all who read anything. */
const mayCommand = (name: string): string => (name === 'Ping' ? 'mags' : 'ma');

const visitors = { m: presets.farmManager, a: presets.agent, g: presets.guest, s: staffPermissions };
const who = (needs: (permissions: (typeof visitors)['m']) => boolean): string =>
  Object.entries(visitors)
    .flatMap(([letter, permissions]) => (needs(permissions) ? letter : []))
    .join('');
const byCommand: ReadonlySet<string> = new Set<ApiKey>([
  'POST /commands/send',
  'POST /commands/plan',
  'POST /commands/again',
  'POST /commands/go-back',
  'POST /commands/undo',
  'POST /commands/cancel',
]);
const onFarm: Endpoint[] = endpoints.filter(
  (endpoint: Endpoint) => endpoint.target && !byCommand.has(endpoint.key),
);

describe('the presets allow what the matrix says', () => {
  const expected = new Map(allowed.flatMap(([letters, keys]) => keys.map((key) => [key as string, letters])));

  it.each(onFarm.map((endpoint): [string, Endpoint] => [endpoint.key, endpoint]))('%s', (key, endpoint) => {
    expect(who((permissions) => meets(permissions, endpoint.needs))).toBe(expected.get(key));
  });

  it.each(Object.entries(exactly))('%s', (words, keys) => {
    const declared = keys.map((key) => needText(endpoints.find((endpoint) => endpoint.key === key)?.needs));
    expect(declared).toEqual(keys.map(() => words));
  });

  it('with every call in it that is about a farm, by preset and by right', () => {
    const keys = onFarm.map(({ key }) => key).toSorted();
    expect([...expected.keys()].toSorted()).toEqual(keys);
    expect(Object.values(exactly).flat().toSorted()).toEqual(keys);
  });

  it.each(Object.entries(commandTypes))('command %s', (name, type) => {
    const send: Endpoint | undefined = endpoints.find(({ key }) => key === 'POST /commands/send');
    const body = { type };
    const may = who(
      (permissions) => !!send && [send.needs, needOf(send, body)].every((need) => meets(permissions, need)),
    );
    expect(may).toBe(mayCommand(name));
  });
});

/** Calls that are about no farm, by what an account has to be; all that stands nowhere here is for whoever has signed in. */
const accountNeeds: Record<string, ApiKey[]> = {
  nothing: [
    'POST /notification/move-device',
    'POST /notification/shown',
    'POST /notification/unsubscribe',
    'GET /alerts/answer',
    'POST /alerts/answer',
    'POST /account/auth',
    'POST /account/auth/passwordless',
    'POST /account/auth/second-step',
    'POST /account/auth/passkey/begin',
    'POST /account/auth/passkey',
    'POST /account/register',
    'POST /agent/register',
    'GET /account/is-registered',
    'POST /account/confirm-email',
    'POST /account/forgot-password',
    'POST /account/reset-password',
    'POST /account/undo-email',
    'GET /ims-settings',
    'GET /invite',
    'GET /geocode',
    'GET /mac-test',
    'POST /analytics/page-view',
    'POST /tlm/signup',
  ],
  operator: ['POST /broker/authenticate', 'POST /telemetry/add'],
  subscriber: ['GET /contacts', 'PUT /permissions', 'GET /access-log', 'PUT /sharing/second-step'],
  payingSubscriber: ['POST /permissions', 'POST /resend-invite'],
  staff: ['GET /support/farms', 'POST /support/session', 'DELETE /support/session'],
};

describe('a call about no farm', () => {
  const kindOf = ({ needs }: Endpoint): string => {
    if ('public' in needs) return 'nothing';
    if ('subscriber' in needs) return needs.paying ? 'payingSubscriber' : 'subscriber';
    return Object.keys(needs)[0] ?? '';
  };
  const others: Endpoint[] = endpoints.filter((endpoint: Endpoint) => !endpoint.target);

  it.each(others.map((endpoint): [string, Endpoint] => [endpoint.key, endpoint]))('%s', (key, endpoint) => {
    const listed = Object.entries(accountNeeds).find(([, keys]) => (keys as string[]).includes(key));
    expect(kindOf(endpoint)).toBe(listed?.[0] ?? 'login');
  });
});

/** Each flag or level alone opens exactly the commands that the matrix puts beside it. */
describe('one right alone', () => {
  const send: Endpoint | undefined = endpoints.find(({ key }) => key === 'POST /commands/send');
  const opened = (permissions: typeof presets.none): string[] =>
    Object.entries(commandTypes)
      .filter(([, type]) => !!send && meets(permissions, needOf(send, { type })))
      .map(([name]) => name)
      .toSorted();
  const edit = { irrigationDevices: 5 };
  const deploy = [
    'ChangeGroupComms',
    'IncReconfigure',
    'IpcReconfigure',
    'IpcUpdate',
    'ReconfigureGroup',
    'UpdateINCList',
  ];
  const valves = ['TurnGroupValvesOff', 'TurnGroupValvesOn', 'ValveOff', 'ValveOn'];

  it.each([
    [{ pollSprinkler: true }, ['IncStatusReq', 'Poll', 'PollGroup']],
    [{ inhibitSprinkler: true }, ['Inhibit', 'Uninhibit']],
    [{ inhibitGroup: true }, ['InhibitGroup', 'UninhibitGroup']],
    [{ toggleValve: true }, []],
    [edit, [...deploy, 'Ping']],
    [{ ...edit, toggleValve: true }, [...deploy, 'Ping', ...valves]],
    [{ sendScheduleToSite: true }, ['IncTimeSet', 'IpcUpdate', 'UpdateSchedule']],
    [{ sendScheduleToGroup: true }, ['SendScheduleSet']],
    [{ replaceSprinkler: true }, ['Replace']],
    [{ sendRelayValues: true }, ['ToggleIO']],
  ])('%j', (rights, names) => {
    expect(opened({ ...presets.none, ...rights })).toEqual([...names].toSorted());
  });
});
