import type { ApiKey } from '@headrace/contract/api';
import { commandTypes } from '@headrace/contract/command-types';
import { type Endpoint, needOf } from '@headrace/contract/endpoint';
import {
  levels,
  meets,
  ownerPermissions,
  type Permissions,
  presets,
  staffPermissions,
} from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { defaultSettings } from '@headrace/contract/default-settings';
import type { AccountRow, DeviceRow, FarmRow } from '../db/schema.ts';
import { newUid } from '../db/ids.ts';
import { deleteFarm } from '../features/farms/delete-farm.ts';
import { issueKey } from '../features/accounts/account-keys.ts';
import { hashPassword } from '../features/accounts/password.ts';
import { createFactorsRepo } from '../features/accounts/second-step/factors.repo.ts';
import { createSecretBox } from '../features/accounts/second-step/secret-box.ts';
import { newSecret } from '../features/accounts/second-step/totp.ts';
import { codeShown } from '../features/accounts/testing/authenticator.ts';
import { hashToken, newToken } from '../features/accounts/tokens.ts';
import { planDigest } from '../features/transfer/plan-digest.ts';
import type { PlanItem } from '../features/transfer/plan-items.ts';
import {
  buildAccount,
  buildAccountShare,
  buildBatch,
  buildFarm,
  buildCodec,
  buildConfigUpdate,
  buildDeadLetter,
  buildDevice,
  buildGateway,
  buildInvite,
  buildLongJob,
  buildQueuedCommand,
  buildShare,
  buildSupportSession,
  buildTank,
  setGatewayOnline,
} from './factories.ts';
import {
  buildGroup,
  buildHalfSent,
  buildHold,
  buildScheduleSet,
  buildSprinkler,
  buildTemplate,
} from './irrigation-factories.ts';
import { buildBackup } from './backup-factories.ts';
import { buildAlert } from './alert-factories.ts';
import { buildTake, type BuiltTake } from './take-factories.ts';
import { type CallOptions, createTestServer, type TestServer } from './test-server.ts';

export interface World {
  owner: AccountRow;
  /** Who knocks; the owner where nobody has signed in. */
  visitor: AccountRow;
  /** A share that the owner gave somebody else. */
  shareUid: string;
  /** An invitation to another farm of the owner: its name in the list, and the mailed key. */
  invite: { uid: string; key: string };
  /** The visitor's. */
  notificationUid: string;
  testUid: string;
  pushDeviceUid: string;
  sessionUid: string;
  /** Mailed to the visitor, to set a new password. */
  resetKey: string;
  /** The first of an authenticator app that is being set up. */
  totpCode: string;
  farm: FarmRow;
  tank: DeviceRow;
  gateway: DeviceRow;
  keyUid: string;
  codecUid: string;
  /** Asked for by the visitor. */
  jobUid: string;
  /** A command that waits for the gateway. */
  commandUid: string;
  failedUid: string;
  /** A send of schedules that was cancelled half-way. */
  halfSentUid: string;
  /** An Inhibit that waits. */
  inhibitUid: string;
  sprinkler: DeviceRow;
  repeater: DeviceRow;
  poi: DeviceRow;
  groupUid: string;
  templateUid: string;
  alertUid: string;
  backupUid: string;
  /** Something that the alert told. */
  incidentUid: string;
  setUid: string;
  holdUid: string;
  take: BuiltTake;
  soil: DeviceRow;
  meter: DeviceRow;
  /** A setting that the tank has not taken yet. */
  configUid: string;
  /** Something that was done and can be undone. */
  batchUid: string;
  /** Of a device that another farm entered and never heard, and that this one hears. */
  contestedMac: string;
  /** A message that was not taken. */
  letterId: string;
  /** Another farm of the owner, which can be restored. */
  deletedFarmUid: string;
}

/** A radio device that the farm doesn't have yet. */
const newRadio = (prefix: string, { farm }: World) => ({
  name: 'New',
  serialNumber: 'N1',
  macAddress: `${prefix}${farm.id.toString(16).padStart(10, '0')}`,
});
const entered = ({ name, serial_number, mac }: DeviceRow) => ({
  name: name.slice(-5),
  serialNumber: serial_number,
  macAddress: mac ?? '',
});
const newTemplate = ({ groupUid }: World) => ({
  name: 'New',
  groups: [{ uid: groupUid }],
  settings: { duration: 28 },
});
const newAlert = ({ uid }: DeviceRow) => ({
  name: 'Low',
  enabled: true,
  kind: 'TankLow',
  deviceIds: [uid],
  condition: 'below',
  value: 20,
  holdMinutes: 15,
});
const place = { lat: -43.75, lng: 171.95 };
const newTake = {
  consentNo: 'CRC1',
  holder: '',
  council: '',
  source: '',
  maxLps: 20,
  maxM3Day: null,
  maxM37Day: null,
  maxM3Year: null,
  validFrom: null,
  validTo: null,
  restrictionNote: '',
  restrictions: [],
  meters: [],
};

const listed = { typeFile: 'podlist', data: 'name;serial\nQ1;NEW1', filename: 'pods.csv' };
/** Of a farm that has not changed, and of the plan of that list: its row has no MAC address. */
const row: PlanItem['row'] = {
  line: 2,
  kind: 'sprinkler',
  name: 'Q1',
  action: 'left out',
  fields: [],
  why: '',
};
const revision = `0-${await planDigest([{ row, deed: null }])}`;

const farmEntry = {
  name: 'Farm',
  address: { fullAddress: '1 Race Road, Hinds' },
  lat: -43.75,
  lng: 171.95,
  boundary: [
    { lat: -43.75, lng: 171.95 },
    { lat: -43.75, lng: 171.96 },
    { lat: -43.76, lng: 171.96 },
  ],
};

const ports = (name: string) =>
  Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((number) => [`${name}${number}`, { title: `${name} ${number}` }]),
  );
const ioSettings = { ...ports('input'), ...ports('relay') };

const PASSWORD = 'seven-wet-fields';
let fresh = 0;
/** A person who is not there yet, as forms send one. */
const newPerson = () => ({
  name: 'New Person',
  email: `fresh${(fresh += 1)}@example.com`,
  password: PASSWORD,
  passwordConfirmation: PASSWORD,
  mobile: '211234567',
  countryCode: 64,
  acceptedTerms: '06 November 2019',
});
const someKey = 'k'.repeat(43);
const somePasskey = {
  id: someKey,
  rawId: someKey,
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
};
const someMade = { clientDataJSON: 'e30', attestationObject: 'e30' };

/** A good request for every endpoint; one that is missing here does not compile. */
export const samples: Record<ApiKey, (world: World) => Pick<CallOptions, 'query' | 'body'>> = {
  'POST /account/auth': () => ({ body: { email: 'nobody@example.com', password: 'secret' } }),
  'POST /account/auth/passwordless': () => ({ body: { key: someKey } }),
  'GET /sharing/second-step': () => ({}),
  'PUT /sharing/second-step': () => ({ body: { required: true } }),
  'POST /account/auth/second-step': () => ({ body: { ticket: someKey, code: '123456', remember: false } }),
  'POST /account/auth/passkey/begin': () => ({}),
  'POST /account/auth/passkey': () => ({ body: { answer: somePasskey } }),
  'GET /account/second-step': () => ({}),
  'POST /account/authenticator/begin': () => ({ body: { password: PASSWORD } }),
  'POST /account/authenticator': ({ totpCode }) => ({ body: { code: totpCode } }),
  'POST /account/authenticator/remove': () => ({ body: { password: PASSWORD } }),
  'POST /account/recovery-codes': () => ({ body: { password: PASSWORD } }),
  'POST /account/passkey/begin': () => ({ body: { password: PASSWORD } }),
  'POST /account/passkey': () => ({ body: { made: { ...somePasskey, response: someMade } } }),
  'POST /account/passkey/rename': () => ({ body: { id: 'a', name: 'My phone', password: PASSWORD } }),
  'POST /account/passkey/remove': () => ({ body: { id: 'a', password: PASSWORD } }),
  'POST /account/logout': () => ({}),
  'POST /account/register': () => ({ body: { ...newPerson(), farms: [farmEntry] } }),
  'POST /agent/register': () => ({ body: newPerson() }),
  'GET /account/is-registered': () => ({ query: { email: 'nobody@example.com' } }),
  'POST /account/confirm-email': () => ({ body: { key: someKey } }),
  'POST /account/resend-confirmation': () => ({}),
  'POST /account/forgot-password': () => ({ body: { email: 'nobody@example.com' } }),
  'POST /account/reset-password': ({ resetKey }) => ({
    body: { key: resetKey, password: PASSWORD, passwordConfirmation: PASSWORD },
  }),
  'GET /jobs': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /job': ({ jobUid }) => ({ query: { id: jobUid } }),
  'POST /job/cancel': ({ jobUid }) => ({ body: { id: jobUid } }),
  'GET /account/details': () => ({}),
  'POST /account/details': ({ visitor }) => ({
    body: { ...newPerson(), email: visitor.email, newsletter: false, notes: '' },
  }),
  'DELETE /account/new-email': () => ({}),
  'POST /account/undo-email': () => ({ body: { key: someKey } }),
  'POST /account/change-password': () => ({ body: { currPwd: PASSWORD, newPwd: `${PASSWORD}-too` } }),
  'GET /account/sessions': () => ({}),
  'DELETE /account/session': ({ sessionUid }) => ({ query: { id: sessionUid } }),
  'DELETE /account/sessions': () => ({}),
  'DELETE /account/device': () => ({ query: { id: 'none' } }),
  'POST /account/session/renew': () => ({ body: { password: PASSWORD } }),
  'GET /account/data': () => ({}),
  'GET /account/usage': () => ({}),
  'POST /account/close': () => ({ body: { password: PASSWORD } }),
  'DELETE /account/close': () => ({}),
  'POST /analytics/page-view': () => ({ body: { key: '/dashboard' } }),
  'GET /settings': () => ({}),
  'PUT /settings': () => ({ body: { data: defaultSettings, version: 6 } }),
  'GET /ims-settings': () => ({}),
  'GET /farms-card': () => ({}),
  'GET /farms-summary': () => ({}),
  'GET /farm': ({ farm }) => ({ query: { uid: farm.uid } }),
  'GET /farms': () => ({}),
  'GET /list-farms': () => ({}),
  'POST /farm': ({ owner }) => ({ body: { accountId: owner.uid, ...farmEntry } }),
  'PUT /farm': ({ farm }) => ({ body: { id: farm.uid, ...farmEntry } }),
  'DELETE /farm': ({ farm }) => ({ query: { farmId: farm.uid } }),
  'GET /farms/deleted': () => ({}),
  'POST /farm/restore': ({ deletedFarmUid }) => ({ body: { farmUID: deletedFarmUid } }),
  'GET /farm/contents': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /farm-timezone': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /farm-timezone': ({ farm }) => ({ body: { farmUID: farm.uid } }),
  'PUT /farm-timezone': ({ farm }) => ({ body: { farmUID: farm.uid, dstEnabled: false } }),
  'GET /agent/list-accounts': () => ({}),
  'GET /geocode': () => ({ query: { text: 'Ashburton' } }),
  'GET /farm/usage': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /dead-letters': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /dead-letter': ({ farm, letterId }) => ({ query: { farmUID: farm.uid, id: letterId } }),
  'POST /dead-letters/replay': ({ farm, letterId }) => ({ body: { farmUID: farm.uid, id: letterId } }),
  'GET /changes': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /permissions-list': () => ({}),
  'GET /invites': () => ({}),
  'GET /invite': ({ invite }) => ({ query: { key: invite.key } }),
  'POST /accept-invite': ({ invite }) => ({ body: { key: invite.key } }),
  'POST /reject-invite': ({ invite }) => ({ body: { key: invite.key } }),
  'POST /resend-invite': ({ invite }) => ({ body: { key: invite.uid } }),
  'POST /revoke-invite': ({ shareUid }) => ({ body: { key: shareUid } }),
  'GET /contacts': () => ({}),
  'POST /permissions': ({ farm }) => ({
    body: {
      contacts: [{ name: 'New Person', email: newPerson().email }],
      farms: [farm.uid],
      isAccountShare: false,
      template: 4,
      permissions: {},
    },
  }),
  'GET /permissions': ({ shareUid }) => ({ query: { key: shareUid } }),
  'PUT /permissions': ({ shareUid }) => ({ body: { key: shareUid, template: 4, permissions: {} } }),
  'DELETE /permissions': ({ shareUid }) => ({ query: { key: shareUid } }),
  'GET /access-log': () => ({}),
  'GET /support/farms': () => ({ query: { value: 'Farm' } }),
  'POST /support/session': ({ farm }) => ({ body: { farmUID: farm.uid, reason: 'The owner has asked.' } }),
  'DELETE /support/session': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /notifications': () => ({}),
  'PUT /notification': ({ notificationUid }) => ({ query: { id: notificationUid } }),
  'PUT /notification/all-read': () => ({}),
  'PUT /notification/settings': () => ({
    body: { sendSms: false, sendPush: false, sendEmail: true, sendAction: true },
  }),
  'POST /notification/add-device': () => ({
    body: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${newUid()}`,
      p256dh: `B${'A'.repeat(86)}`,
      auth: 'A'.repeat(22),
    },
  }),
  'GET /alerts/open': () => ({}),
  'GET /alerts': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /alert/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /alert': ({ alertUid }) => ({ query: { alertUID: alertUid } }),
  'POST /alert': ({ farm, tank }) => ({ body: { farmUID: farm.uid, ...newAlert(tank) } }),
  'PUT /alert': ({ alertUid, tank }) => ({ body: { _id: alertUid, ...newAlert(tank) } }),
  'DELETE /alert': ({ alertUid }) => ({ query: { alertUID: alertUid } }),
  'GET /alert/incidents': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /alert/incident': ({ farm, incidentUid }) => ({ query: { farmUID: farm.uid, uid: incidentUid } }),
  'POST /alert/snooze': ({ farm, incidentUid }) => ({
    body: { farmUID: farm.uid, uid: incidentUid, until: 'hour', class: 'important' },
  }),
  'GET /notification/ways': () => ({}),
  'GET /notification/held-back': () => ({}),
  'PUT /notification/ways': () => ({
    body: { quiet: null, ways: { urgent: ['push'], important: [], info: [] } },
  }),
  'POST /alert/answer': ({ farm, incidentUid }) => ({
    body: { farmUID: farm.uid, uid: incidentUid, version: 1, class: 'important' },
  }),
  'POST /notification/move-device': () => ({
    body: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${newUid()}`,
      p256dh: `B${'A'.repeat(86)}`,
      auth: 'A'.repeat(22),
      before: { endpoint: `https://fcm.googleapis.com/fcm/send/${newUid()}`, auth: 'B'.repeat(22) },
    },
  }),
  'POST /alert/trial': ({ farm, tank }) => ({ body: { farmUID: farm.uid, ...newAlert(tank) } }),
  'GET /alert/lately': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /alert/people': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /alert/pause': ({ farm, alertUid }) => ({
    body: { farmUID: farm.uid, alertUID: alertUid, until: 'hour' },
  }),
  'DELETE /alert/pause': ({ farm, alertUid }) => ({ query: { farmUID: farm.uid, alertUID: alertUid } }),
  'GET /alerts/answer': () => ({ query: { key: 'A'.repeat(12) } }),
  'POST /alerts/answer': () => ({ body: { key: 'A'.repeat(12), answer: 'answer', from: 'link' } }),
  'POST /notification/unsubscribe': () => ({ body: { key: 'A'.repeat(40) } }),
  'POST /notification/shown': () => ({ body: { key: 'A'.repeat(22) } }),
  'POST /notification/test': () => ({ body: { way: 'push' } }),
  'GET /notification/test': ({ testUid }) => ({ query: { id: testUid } }),
  'GET /notification/list-devices': () => ({}),
  'DELETE /notification/remove-device': ({ pushDeviceUid }) => ({ query: { id: pushDeviceUid } }),
  'GET /series/list': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'GET /series': ({ tank }) => ({
    query: { deviceId: tank.uid, metric: 'levelMm', startDate: '01-01-2026', endDate: '02-01-2026' },
  }),
  'GET /schedules': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /schedules/list': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /schedules/timeline': ({ farm }) => ({
    query: { farmUID: farm.uid, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  }),
  'POST /schedules/preview': ({ farm }) => ({
    body: { farmUID: farm.uid, changes: {}, from: '2026-01-01T00:00:00Z', days: 1 },
  }),
  'GET /schedules/takes': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irrigation-advice': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irrigation-advice/ledger': ({ farm, groupUid }) => ({
    query: { farmUID: farm.uid, groupUID: groupUid },
  }),
  'PUT /irrigation-advice/settings': ({ farm, groupUid }) => ({
    body: {
      farmUID: farm.uid,
      groupUID: groupUid,
      soil: null,
      knownDay: null,
      knownMm: null,
      probeUID: null,
      refillKpa: null,
      usualEt0Mm: null,
      rainSiteUID: null,
    },
  }),
  'PUT /irrigation-advice/day': ({ farm }) => ({
    body: { farmUID: farm.uid, day: server.clock.now.toISOString().slice(0, 10), et0Mm: 4, rainMm: null },
  }),
  'PUT /irrigation-advice/note': ({ farm, groupUid }) => ({
    body: {
      farmUID: farm.uid,
      groupUID: groupUid,
      day: server.clock.now.toISOString().slice(0, 10),
      note: 'Watered',
    },
  }),
  'GET /farm/supply': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'PUT /farm/supply': ({ farm }) => ({
    body: { farmUID: farm.uid, maxLps: 40, windows: [], avoid: [], mains: [], notes: '' },
  }),
  'GET /schedules/sets': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /schedules/set': ({ farm, setUid }) => ({ query: { farmUID: farm.uid, setUID: setUid } }),
  'POST /schedules/create': (world) => ({
    body: {
      farmUID: world.farm.uid,
      ...newTemplate(world),
      settings: { duration: 28, cycleLen: 1440 },
      schedules: [
        {
          serialNumber: world.sprinkler.serial_number,
          group: 'Group',
          scheduleGroup: 'Group',
          schedules: [{ start: 0, duration: 28, cycle: 1 }],
        },
      ],
    },
  }),
  'GET /schedules/compare': ({ farm, setUid }) => ({ query: { farmUID: farm.uid, to: setUid } }),
  'DELETE /schedules': ({ farm, setUid }) => ({ query: { farmUID: farm.uid, setUID: setUid } }),
  'GET /schedule-template/farm-details': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /schedule-templates': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /schedule-template': ({ templateUid }) => ({ query: { templateUID: templateUid } }),
  'POST /schedule-template': (world) => ({ body: { farmUID: world.farm.uid, ...newTemplate(world) } }),
  'PUT /schedule-template': (world) => ({ body: { _id: world.templateUid, ...newTemplate(world) } }),
  'DELETE /schedule-template': ({ templateUid }) => ({ query: { templateUID: templateUid } }),
  'POST /schedule-template/compute': (world) => ({
    body: { farmUID: world.farm.uid, ...newTemplate(world) },
  }),
  'POST /schedule-template/clone': ({ farm, templateUid }) => ({
    body: { templateUID: templateUid, farmUID: farm.uid, name: 'Copy' },
  }),
  'GET /ipc/fullinfo': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid } }),
  'GET /ipc/history': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid, period: '60' } }),
  'GET /walk-list': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /fmhealth/health': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /fmhealth/comms': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /fmhealth/historybytype': ({ farm }) => ({
    query: { farmUID: farm.uid, hstType: '0', start: '2026-01-01', stop: '2026-01-02' },
  }),
  'GET /ipc/batterylife': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid, period: '30' } }),
  'GET /repeater/batterylife': ({ repeater }) => ({ query: { deviceId: repeater.uid, period: '30' } }),
  'GET /ipc/runs': ({ farm }) => ({
    query: { farmUID: farm.uid, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
  }),
  'GET /irr-diary-logs': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reportspdf/irrdiary/summary': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reports/irrigation-diary.csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reports/operating-time': ({ farm, setUid }) => ({ query: { farmUID: farm.uid, scheduleID: setUid } }),
  'GET /reportspdf/operatingtime': ({ farm, setUid }) => ({
    query: { farmUID: farm.uid, scheduleID: setUid },
  }),
  'GET /reports/operating-time.csv': ({ farm, setUid }) => ({
    query: { farmUID: farm.uid, scheduleID: setUid },
  }),
  'GET /reportspdf/farmhisttrend': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reports/history-trend.csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reportspdf/tanks': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reports/tanks.csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reports/plan-annex': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reportspdf/plan-annex': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /reports/plan-annex.csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irr-diary-logs/csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irr-diary-logs/last': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irr-diary-logs/last/csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /backup/list': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /backup': ({ farm }) => ({ body: { farmUID: farm.uid, desc: 'Before lambing' } }),
  'POST /backup/plan': ({ farm, backupUid }) => ({ body: { farmUID: farm.uid, bakUID: backupUid } }),
  'PUT /backup/restore': ({ farm, backupUid }) => ({ body: { farmUID: farm.uid, bakUID: backupUid } }),
  'DELETE /backup': ({ backupUid }) => ({ query: { bakUID: backupUid } }),
  'POST /import/plan': ({ farm }) => ({ body: { farmUID: farm.uid, ...listed } }),
  'POST /import/apply': ({ farm }) => ({ body: { farmUID: farm.uid, ...listed, revision } }),
  'POST /import/file': ({ farm }) => ({ body: { farmUID: farm.uid, ...listed } }),
  'GET /export/podlist': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/rptrlist': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/schedules': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/site-json': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/devices.csv': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/farm.kml': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/farm.geojson': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /export/readings.csv': ({ farm }) => ({
    query: { farmUID: farm.uid, each: 'day', startDate: '01-11-2026', endDate: '02-11-2026' },
  }),
  'GET /irr-diary-logs/late-closers': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /flow/check': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /flow/pipes': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid, minutes: '30' } }),
  'POST /sensor': (world) => ({
    body: { farmUID: world.farm.uid, ...newRadio('0004A3', world), type: 0 },
  }),
  'GET /sensor/devices': ({ farm }) => ({ query: { farmUid: farm.uid } }),
  'GET /sensor/list': ({ farm }) => ({ query: { farmUid: farm.uid } }),
  'GET /sensor': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'PUT /sensor': ({ tank }) => ({ body: { id: tank.uid, ...entered(tank), type: 0 } }),
  'POST /sensor/settingsupdate': ({ tank }) => ({ body: { sensorUid: tank.uid, settings: { volume: 9 } } }),
  'GET /irrigation/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irrigation/units': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /irrigation/devices/has-changes': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid } }),
  'POST /ipc': (world) => ({ body: { farmUID: world.farm.uid, ...newRadio('0004A4', world) } }),
  'PUT /ipc': ({ sprinkler }) => ({ body: { id: sprinkler.uid, ...entered(sprinkler) } }),
  'DELETE /ipc': ({ sprinkler }) => ({ query: { deviceId: sprinkler.uid } }),
  'POST /ipc/bulk-edit': ({ farm, sprinkler }) => ({
    body: { farmUID: farm.uid, deviceIds: [sprinkler.uid], changes: { channel: 4 } },
  }),
  'POST /ipc/bulk-check': ({ farm }) => ({
    body: { farmUID: farm.uid, units: [{ serialNumber: 'NEW-1', macAddress: '' }] },
  }),
  'POST /ipc/bulk-add': (world) => ({
    body: { farmUID: world.farm.uid, units: [newRadio('0004A5', world)] },
  }),
  'POST /ipc/bulk-delete': ({ farm, sprinkler }) => ({
    body: { farmUID: farm.uid, deviceIds: [sprinkler.uid] },
  }),
  'PUT /ipc/flag-as-spare': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid, status: true } }),
  'PUT /ipc/flag-as-part-sprinkler': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid, status: true } }),
  'PUT /ipc/flag-reconfigure': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid, status: true } }),
  'PUT /placeholder/convert-to-placeholder': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid } }),
  'PUT /placeholder/convert-to-poi': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid } }),
  'PUT /placeholder/return-to-service': ({ sprinkler }) => ({ body: { deviceId: sprinkler.uid } }),
  'PUT /ipc/last-farmid-and-channel': ({ farm }) => ({ body: { farmUID: farm.uid } }),
  'POST /ipc/reset-schedules-index': ({ farm }) => ({ body: { farmUID: farm.uid } }),
  'POST /ipc/replace-battery': ({ sprinkler }) => ({ body: { ipcUID: sprinkler.uid } }),
  'GET /ipc/spare-units': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc/farm-ipcs-for-repeater': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /farm/podsinfo': ({ farm }) => ({ query: { uid: farm.uid } }),
  'GET /irrigation/placed': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'DELETE /irrigation/reset-location': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'DELETE /irrigation/reset-all-location': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc/search': () => ({ query: { value: 'tank' } }),
  'GET /repeater/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /repeater': ({ repeater }) => ({ query: { deviceId: repeater.uid } }),
  'POST /repeater': (world) => ({ body: { farmUID: world.farm.uid, ...newRadio('0004A5', world) } }),
  'PUT /repeater': ({ repeater }) => ({ body: { id: repeater.uid, ...entered(repeater) } }),
  'DELETE /repeater': ({ repeater }) => ({ query: { deviceId: repeater.uid } }),
  'POST /repeater/replace-battery': ({ repeater }) => ({ body: { rptrUID: repeater.uid } }),
  'GET /farm/groups-and-ipcs-for-repeater': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /pois': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /poi': ({ poi }) => ({ query: { poiUID: poi.uid } }),
  'POST /poi': ({ farm }) => ({ body: { farmUID: farm.uid, name: 'Gate', ...place } }),
  'PUT /poi': ({ poi }) => ({ body: { id: poi.uid, name: 'Gate', ...place } }),
  'DELETE /poi': ({ poi }) => ({ query: { poiUID: poi.uid } }),
  'POST /poi/convert': (world) => ({ body: { poiUID: world.poi.uid, ...newRadio('0004A6', world) } }),
  'POST /poi/sensorconv': (world) => ({
    body: { poiUID: world.poi.uid, ...newRadio('0004A7', world), type: 0 },
  }),
  'GET /mac': () => ({ query: { serialNumber: 'none' } }),
  'GET /macgateway': () => ({ query: { serialNumber: 'none' } }),
  'GET /macsensor': () => ({ query: { serialNumber: 'none' } }),
  'GET /mac-test': () => ({ query: { serialNumber: 'none' } }),
  'POST /mac/contest': ({ farm, contestedMac }) => ({
    body: { farmUID: farm.uid, serialNumber: 'S1', macAddress: contestedMac },
  }),
  'DELETE /sensor': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'GET /codecs': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /codec': ({ farm, codecUid }) => ({ query: { farmUID: farm.uid, codecId: codecUid } }),
  'POST /codec': ({ farm }) => ({
    body: { farmUID: farm.uid, name: 'New', script: 'function decodeUplink() { return { data: {} }; }' },
  }),
  'PUT /codec': ({ farm, codecUid }) => ({ body: { farmUID: farm.uid, codecId: codecUid, name: 'Other' } }),
  'DELETE /codec': ({ farm, codecUid }) => ({ query: { farmUID: farm.uid, codecId: codecUid } }),
  'POST /codec/try': ({ farm, codecUid }) => ({
    body: { farmUID: farm.uid, codecId: codecUid, fPort: 1, bytes: '00' },
  }),
  'PUT /sensor/decoding': ({ tank, codecUid }) => ({
    body: { deviceId: tank.uid, codecId: codecUid, mapping: null },
  }),
  'POST /sensor/decoding/anew': ({ tank }) => ({ body: { deviceId: tank.uid } }),
  'GET /sensor/decoding': ({ tank }) => ({ query: { deviceId: tank.uid } }),
  'GET /gateway/devices': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /gateway': (world) => ({ body: { farmUID: world.farm.uid, ...newRadio('0004A8', world), type: 0 } }),
  'PUT /gateway': ({ gateway }) => ({ body: { id: gateway.uid, ...entered(gateway), type: 0 } }),
  'DELETE /gateway': ({ gateway }) => ({ query: { deviceId: gateway.uid } }),
  'GET /gateway': ({ gateway }) => ({ query: { deviceId: gateway.uid } }),
  'GET /gateway/radio': ({ gateway }) => ({ query: { deviceId: gateway.uid, period: '30' } }),
  'POST /integration-key': ({ farm }) => ({ body: { farmUID: farm.uid, name: 'ChirpStack' } }),
  'GET /integration-keys': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'DELETE /integration-key': ({ farm, keyUid }) => ({ query: { farmUID: farm.uid, keyUID: keyUid } }),
  'POST /gateway/rotate-key': ({ gateway }) => ({ body: { deviceId: gateway.uid } }),
  'POST /broker/authenticate': () => ({ body: { username: 'x', password: 'y', clientid: 'z' } }),
  'POST /commands/send': ({ farm }) => ({ body: { farmUID: farm.uid, type: commandTypes.IncStatusReq } }),
  'POST /commands/plan': ({ farm }) => ({ body: { farmUID: farm.uid, type: commandTypes.IncStatusReq } }),
  'GET /commands': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /command': ({ farm, commandUid }) => ({ query: { farmUID: farm.uid, commandId: commandUid } }),
  'POST /commands/go-back': ({ farm, halfSentUid }) => ({
    body: { farmUID: farm.uid, commandId: halfSentUid, type: commandTypes.SendScheduleSet },
  }),
  'POST /commands/undo': ({ farm, inhibitUid }) => ({
    body: { farmUID: farm.uid, commandId: inhibitUid, type: commandTypes.Inhibit },
  }),
  'GET /commands/unseen': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /commands/units': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /commands/seen': ({ farm, failedUid }) => ({ body: { farmUID: farm.uid, commandId: failedUid } }),
  'POST /commands/again': ({ farm, failedUid }) => ({
    body: { farmUID: farm.uid, commandId: failedUid, type: commandTypes.RefreshAll },
  }),
  'GET /paddock-holds': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /paddock-hold': ({ farm }) => ({
    body: { farmUID: farm.uid, until: new Date(server.clock.now.getTime() + 3_600_000).toISOString() },
  }),
  'PUT /paddock-hold': ({ farm, holdUid }) => ({
    body: {
      farmUID: farm.uid,
      holdUID: holdUid,
      until: new Date(server.clock.now.getTime() + 3_600_000).toISOString(),
    },
  }),
  'POST /paddock-hold/end': ({ farm, holdUid }) => ({ body: { farmUID: farm.uid, holdUID: holdUid } }),
  'GET /water-take': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /water-take': ({ farm }) => ({ body: { farmUID: farm.uid, ...newTake } }),
  'PUT /water-take': ({ farm, take }) => ({
    body: { farmUID: farm.uid, uid: take.uid, version: 1, ...newTake },
  }),
  'DELETE /water-take': ({ farm, take }) => ({ query: { farmUID: farm.uid, uid: take.uid } }),
  'POST /water-take/reading': ({ farm, take }) => ({
    body: {
      farmUID: farm.uid,
      meterUID: take.meterUid,
      at: server.clock.now.toISOString(),
      register: 6,
      note: '',
    },
  }),
  'DELETE /water-take/reading': ({ farm, take }) => ({
    query: { farmUID: farm.uid, readingUID: take.readingUid },
  }),
  'PUT /water-take/gap': ({ farm, take }) => ({
    body: {
      farmUID: farm.uid,
      uid: take.uid,
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-01T01:00:00Z',
      note: 'Lightning',
    },
  }),
  'GET /water-take/rows': ({ farm, take }) => ({
    query: { farmUID: farm.uid, uid: take.uid, from: '2026-11-01', to: '2026-11-02' },
  }),
  'GET /water-take/pack': ({ farm, take }) => ({
    query: { farmUID: farm.uid, uid: take.uid, from: '2026-11-01', to: '2026-11-01' },
  }),
  'POST /water-take/pack': ({ farm, take }) => ({
    body: { farmUID: farm.uid, uid: take.uid, from: '2026-11-01', to: '2026-11-01' },
  }),
  'GET /water-take/packs': ({ farm, take }) => ({ query: { farmUID: farm.uid, uid: take.uid } }),
  'GET /water-take/packs/filled': ({ farm, take }) => ({ query: { farmUID: farm.uid, uid: take.uid } }),
  'GET /water-take/pack/file': ({ farm, take }) => ({ query: { farmUID: farm.uid, id: take.packUid } }),
  'GET /water-take/days': ({ farm, take }) => ({ query: { farmUID: farm.uid, uid: take.uid } }),
  'POST /commands/cancel': ({ farm, commandUid }) => ({
    body: { farmUID: farm.uid, commandId: commandUid, type: commandTypes.IncStatusReq },
  }),
  'POST /devices/move': ({ farm, gateway }) => ({
    body: { farmUID: farm.uid, kind: 'gateway', devices: [{ id: gateway.uid, from: null, to: place }] },
  }),
  'POST /undo': ({ farm, batchUid }) => ({
    body: { farmUID: farm.uid, batchId: batchUid, act: 'delete gateway' },
  }),
  'GET /groups': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /groups-card': ({ farm }) => ({ query: { fid: farm.uid } }),
  'GET /group': ({ groupUid }) => ({ query: { groupId: groupUid } }),
  'POST /group': ({ farm }) => ({ body: { farmUID: farm.uid, name: 'New' } }),
  'PUT /group': ({ groupUid }) => ({ body: { id: groupUid, name: 'Other' } }),
  'DELETE /group': ({ groupUid }) => ({ query: { groupId: groupUid } }),
  'GET /group/devices': ({ groupUid }) => ({ query: { groupId: groupUid } }),
  'PUT /group/devices/add': ({ groupUid, sprinkler }) => ({
    body: { groupId: groupUid, ipcs: [sprinkler.uid] },
  }),
  'PUT /group/devices/remove': ({ groupUid, poi }) => ({ body: { groupId: groupUid, pois: [poi.uid] } }),
  'PUT /group/devices/remove-all': ({ groupUid }) => ({ body: { groupId: groupUid } }),
  'GET /group/units': ({ farm }) => ({ query: { farmUID: farm.uid, name: 'FARM' } }),
  'GET /group/info': ({ farm }) => ({ query: { farmUID: farm.uid, name: 'FARM' } }),
  'GET /irrigation/status': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /ipc/status': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /lvl/suminfo': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /level/basic-info': ({ farm, tank }) => ({ query: { farmUid: farm.uid, sensorUid: tank.uid } }),
  'GET /level/full-info': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /lvl/history': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /lvl/waterflow': ({ tank }) => ({ query: { sensorId: tank.uid } }),
  'GET /tank/battery': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /flow/history': ({ tank }) => ({ query: { serial: tank.serial_number } }),
  'GET /flow/suminfo': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /flow/histories': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /telemetry/sites': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /telemetry/soil-moisture': ({ soil }) => ({ query: { sensorUID: soil.uid, date: '2026-11-20' } }),
  'POST /telemetry/add': ({ soil }) => ({
    body: {
      sensorUID: soil.uid,
      date: '2026-11-20',
      time: '09:15',
      temperature: 12,
      rainfall: 3,
      swp1: 25,
      swp2: 40,
    },
  }),
  'GET /headline/temperature': ({ farm, soil }) => ({
    query: { farmUID: farm.uid, site: soil.uid, time: '9' },
  }),
  'GET /headline/accumulated-rainfall': ({ farm, soil }) => ({
    query: { farmUID: farm.uid, site: soil.uid, startDate: '2026-11-20' },
  }),
  'GET /headline/rain-forecast-accumulated': () => ({ query: { lat: '-43.75', long: '171.95', days: '1' } }),
  'GET /headline/tank': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /headline/tankflow': ({ tank }) => ({
    query: { sensorUid: tank.uid, sumType: 'today', metric: 'L' },
  }),
  'GET /headline/flow': ({ meter }) => ({ query: { sensorUID: meter.uid } }),
  'GET /headline/accumulated-flow': ({ meter }) => ({ query: { sensorUID: meter.uid, days: '7' } }),
  'GET /headline/metrics': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /headline/metric': ({ tank }) => ({ query: { sensorUid: tank.uid, metric: 'levelMm' } }),
  'GET /headline/io': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /gateway/monitor': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /gateway/iosettings': ({ farm }) => ({ body: { farmUID: farm.uid, ioSettings } }),
  'GET /sensor/monitor': ({ tank }) => ({ query: { sensorUid: tank.uid } }),
  'GET /sensor-history/:id': ({ tank }) => ({
    query: { id: tank.uid, startDate: '2026-11-19', endDate: '2026-11-20', dataType: 'value' },
  }),
  'POST /sensor/configupdate': ({ tank }) => ({
    body: {
      deviceId: tank.uid,
      sensorType: tank.type,
      configType: 1,
      config: { highSetpoint: 90, lowSetpoint: 40, relayControl: true, maxRunTime: 0 },
    },
  }),
  'DELETE /sensor/configupdate': ({ tank, configUid }) => ({
    query: { deviceId: tank.uid, configId: configUid },
  }),
  'GET /insights': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'GET /weather/forecast': ({ farm }) => ({ query: { farmUID: farm.uid } }),
  'POST /tlm/signup': () => ({
    body: {
      name: 'New Person',
      email: `lead-${newUid()}@example.com`,
      countryCode: 64,
      mobile: '211234567',
      farmName: 'Hinds Block',
      tanks: 3,
    },
  }),
  'GET /tank/site-info': ({ farm }) => ({ query: { farmUID: farm.uid } }),
};

export interface Visitor {
  name: string;
  type: 'SUBSCRIBER' | 'AGENT';
  /** What the farm gives them; null is a stranger to the farm. */
  permissions: Permissions | null;
  isStaff?: true;
  isOwner?: true;
  /** The owner shares everything with them. */
  hasAccount?: true;
  /** What makes them so, besides their type. */
  arrange?: (world: World, account: AccountRow) => Promise<unknown>;
}

const withShare =
  (permissions: Permissions, endsAt: Date | null = null) =>
  (world: World, account: AccountRow) =>
    buildShare(server.database.db, world.farm.id, account.id, permissions, endsAt);

/** Everyone who may knock. */
export const visitors: Visitor[] = [
  { name: 'the owner', type: 'SUBSCRIBER', permissions: ownerPermissions, isOwner: true },
  ...(
    [
      ['a farm manager', presets.farmManager],
      ['an agent', presets.agent],
      ['a guest', presets.guest],
      ['someone with a share without rights', presets.none],
    ] as const
  ).map(([name, permissions]) => ({
    name,
    type: 'AGENT' as const,
    permissions,
    arrange: withShare(permissions),
  })),
  {
    name: 'someone with whom the whole account is shared',
    type: 'AGENT',
    permissions: { ...presets.agent, farms: levels.Read | levels.Account },
    hasAccount: true,
    arrange: ({ owner }, { id }) => buildAccountShare(server.database.db, owner.id, id, presets.agent),
  },
  {
    name: 'someone whose share has ended',
    type: 'AGENT',
    permissions: null,
    arrange: withShare(presets.farmManager, new Date('2026-11-20T20:59:59Z')),
  },
  {
    name: 'the owner of another farm',
    type: 'SUBSCRIBER',
    permissions: null,
    arrange: (_world, { id }) => buildFarm(server.database.db, id),
  },
  { name: 'support staff', type: 'AGENT', isStaff: true, permissions: staffPermissions },
  {
    name: 'support staff in a session',
    type: 'AGENT',
    isStaff: true,
    permissions: presets.farmManager,
    arrange: ({ farm }, { id }) => buildSupportSession(server.database.db, farm.id, id, server.clock.now),
  },
];

/** What is asked for belongs to the owner alone: for others who may call it, it does not exist. */
const ofTheOwner: ReadonlySet<string> = new Set<ApiKey>([
  'POST /resend-invite',
  'POST /revoke-invite',
  'POST /permissions',
  'GET /permissions',
  'PUT /permissions',
  'DELETE /permissions',
]);

/** What a call for any farm and account answers, by its declaration and by whose the things are. */
export function statusWithoutFarm(endpoint: Endpoint, visitor: Visitor): number {
  const { key, needs } = endpoint;
  if ('operator' in needs) return 401;
  if ('staff' in needs && !visitor.isStaff) return 403;
  if ('subscriber' in needs && visitor.type !== 'SUBSCRIBER') return 403;
  if (key === 'POST /farm' && !visitor.isOwner && !visitor.hasAccount) return 403;
  if (key === 'POST /farm/restore' && !visitor.isOwner) return 404;
  if (key === 'POST /accept-invite' && visitor.type !== 'AGENT') return 403;
  if (key === 'DELETE /support/session' && visitor.permissions !== presets.farmManager) return 404;
  if (ofTheOwner.has(key) && !visitor.isOwner) return 404;
  if (endpoint.textError) return 401;
  return endpoint.status ?? 200;
}

export function statusOnFarm(endpoint: Endpoint, visitor: Visitor, body: unknown): number {
  const { permissions } = visitor;
  if (!permissions) return endpoint.emptyStatus ?? 404;
  const isAllowed = [endpoint.needs, needOf(endpoint, body)].every((need) => meets(permissions, need));
  return isAllowed ? (endpoint.status ?? 200) : 403;
}

let server: TestServer;
let passwordHash: string;
/** Each test file begins with it: what is built from then on is on this server. */
export async function startWall(): Promise<TestServer> {
  server = await createTestServer({ requestsPerMinute: 1_000_000 });
  passwordHash = await hashPassword(PASSWORD);
  return server;
}

export async function buildWorld(visitor: Visitor | null): Promise<World> {
  const { db } = server.database;
  const person = { password_hash: passwordHash, email_confirmed_at: server.clock.now };
  const owner = await buildAccount(db, person);
  const farm = await buildFarm(db, owner.id);
  const key = { uid: newUid(), name: 'Key', user_name: `int-${farm.uid}`, key_hash: Buffer.alloc(32) };
  await db
    .insertInto('integration_key')
    .values({ farm_id: farm.id, ...key, last_used_at: null, deleted_at: null })
    .execute();
  const gateway = await buildGateway(db, farm.id);
  await setGatewayOnline(db, gateway, server.clock.now);
  const account =
    !visitor || visitor.isOwner
      ? owner
      : await buildAccount(db, { ...person, type: visitor.type, is_staff: visitor.isStaff ?? false });
  const sprinkler = await buildDevice(db, farm.id, 'sprinkler');
  const tank = await buildTank(db, farm.id);
  const member = await buildSprinkler(db, farm.id);
  const groupUid = await buildGroup(db, farm.id, 'Group', [member]);
  const setUid = await buildScheduleSet(db, farm.id, [], []);
  const meter = await buildDevice(db, farm.id, 'sensor', { type: sensorTypes.FLOW });
  const world = {
    owner,
    visitor: account,
    farm,
    tank,
    gateway,
    keyUid: key.uid,
    codecUid: (await buildCodec(db, farm.id)).uid,
    groupUid,
    templateUid: await buildTemplate(db, farm.id, groupUid),
    setUid,
    halfSentUid: await buildHalfSent(db, gateway, [sprinkler, member], setUid, server.clock.now),
    soil: await buildDevice(db, farm.id, 'sensor', { type: sensorTypes.SOIL_MOISTURE }),
    meter,
    configUid: await buildConfigUpdate(db, tank),
    batchUid: await buildBatch(db, gateway, 'delete gateway'),
    letterId: await buildDeadLetter(db, farm.id),
    contestedMac: await buildContested(farm),
    deletedFarmUid: await buildDeletedFarm(owner),
    commandUid: await buildQueuedCommand(db, gateway, server.clock.now),
    inhibitUid: await buildQueuedCommand(db, gateway, server.clock.now, {
      unit: sprinkler,
      type: commandTypes.Inhibit,
    }),
    failedUid: await buildQueuedCommand(db, gateway, server.clock.now, {
      unit: sprinkler,
      type: commandTypes.RefreshAll,
      state: 'failed',
    }),
    ...(await buildAlert(db, tank)),
    backupUid: await buildBackup(db, farm),
    holdUid: await buildHold(db, sprinkler, server.clock.now),
    take: await buildTake(db, meter, server.clock.now),
    sprinkler,
    repeater: await buildDevice(db, farm.id, 'repeater'),
    poi: await buildDevice(db, farm.id, 'poi', { lat: -43.7, lng: 171.9 }),
    shareUid: (await buildShare(db, farm.id, (await buildAccount(db, { type: 'AGENT' })).id)).uid,
    invite: await buildInvite(db, (await buildFarm(db, owner.id)).id, server.clock.now),
    jobUid: await buildLongJob(db, farm.id, account.id),
    ...(await buildBelongings(account)),
  };
  await visitor?.arrange?.(world, account);
  return world;
}

async function buildContested(farm: FarmRow): Promise<string> {
  const { db } = server.database;
  const other = await buildFarm(db, (await buildAccount(db)).id);
  const created_at = new Date(server.clock.now.getTime() - 8 * 86_400_000);
  const { mac } = await buildSprinkler(db, other.id);
  await db.updateTable('device').set({ created_at }).where('farm_id', '=', other.id).execute();
  const device = mac ?? '';
  await buildDeadLetter(db, farm.id, { reason: `unknown device ${device}`, device, at: server.clock.now });
  return device;
}

async function buildDeletedFarm({ id }: AccountRow): Promise<string> {
  const farm = await buildFarm(server.database.db, id);
  await deleteFarm(server.database.db, farm.id, { accountId: id, now: server.clock.now });
  return farm.uid;
}

/** What every account may have. */
async function buildBelongings(account: AccountRow) {
  const { id } = account;
  const { db } = server.database;
  const at = server.clock.now;
  const [notificationUid, pushDeviceUid, sessionUid, testUid] = [newUid(), newUid(), newUid(), newUid()];
  const resetKey = await issueKey(db, account, 'reset-password', at);
  await db.updateTable('account').set({ send_push: true }).where('id', '=', id).execute();
  await db
    .insertInto('outbox')
    .values({
      account_id: id,
      at,
      way: 'push',
      recipient: '',
      subject: '',
      body: '{}',
      dedupe_key: `test ${testUid}`,
    })
    .execute();
  await db
    .insertInto('notification')
    .values({ account_id: id, uid: notificationUid, at, title: 'T', message: 'M' })
    .execute();
  const common = { account_id: id, device_uid: 'd', address: '192.0.2.8', user_agent: '', created_at: at };
  await db
    .insertInto('push_device')
    .values({
      ...common,
      uid: pushDeviceUid,
      endpoint: `https://fcm.googleapis.com/${pushDeviceUid}`,
      expires_at: null,
      p256dh: '',
      auth: '',
    })
    .execute();
  await db
    .insertInto('session')
    .values({
      ...common,
      uid: sessionUid,
      token_hash: hashToken(newToken()),
      last_used_at: at,
      expires_at: new Date(at.getTime() + 86_400_000),
    })
    .execute();
  return { notificationUid, testUid, pushDeviceUid, sessionUid, resetKey, totpCode: await beginApp(id, at) };
}

async function beginApp(accountId: number, at: Date): Promise<string> {
  const secret = newSecret();
  const pending = await createSecretBox(server.database.db, null).seal(secret, at);
  await createFactorsRepo(server.database.db).setPending(accountId, pending, at);
  return codeShown(secret, at.getTime());
}
