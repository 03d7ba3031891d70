import { commandTypes } from '@headrace/contract/command-types';
import { type Permissions } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import { newUid } from '../../db/ids.ts';
import { deleteFarm } from '../../features/farms/delete-farm.ts';
import { issueKey } from '../../features/accounts/account-keys.ts';
import { hashPassword } from '../../features/accounts/password.ts';
import { createFactorsRepo } from '../../features/accounts/second-step/factors.repo.ts';
import { createSecretBox } from '../../features/accounts/second-step/secret-box.ts';
import { newSecret } from '../../features/accounts/second-step/totp.ts';
import { codeShown } from '../../features/accounts/testing/authenticator.ts';
import { hashToken, newToken } from '../../features/accounts/tokens.ts';
import {
  buildAccount,
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
  buildTank,
  setGatewayOnline,
} from '../factories.ts';
import {
  buildGroup,
  buildHalfSent,
  buildHold,
  buildScheduleSet,
  buildSprinkler,
  buildTemplate,
} from '../irrigation-factories.ts';
import { buildBackup } from '../backup-factories.ts';
import { buildAlert } from '../alert-factories.ts';
import { buildTake, type BuiltTake } from '../take-factories.ts';
import { createTestServer, type TestServer } from '../test-server.ts';

export const PASSWORD = 'seven-wet-fields';

export interface World {
  /** When it was built. */
  now: Date;
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
  arrange?: (server: TestServer, world: World, account: AccountRow) => Promise<unknown>;
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
    now: server.clock.now,
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
  await visitor?.arrange?.(server, world, account);
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
