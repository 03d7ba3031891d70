import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import { eventually, signIn } from '../../mqtt/testing/transport-kit.ts';
import { hasMosquitto, startMosquitto } from '../../mqtt/testing/mosquitto.ts';
import { buildAccount, buildFarm, buildGateway } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { noteOpened, noteSaved, noteSeen } from '../device-connections/kept-session.ts';
import { brokerUserLines, writeBrokerUsers } from './broker-users.ts';

let server: TestServer;
let owner: AccountRow;
let farm: FarmRow;
let gateway: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.pool.query('truncate account cascade; delete from installation');
  await noteOpened(server.database.db, true, new Date());
  await noteSaved(server.database.db, new Date());
  owner = await buildAccount(server.database.db);
  farm = await buildFarm(server.database.db, owner.id);
  gateway = await buildGateway(server.database.db, farm.id);
});

async function renewKey(): Promise<string> {
  const reply = await server.call('POST /gateway/rotate-key', {
    headers: await server.signIn(owner),
    body: { deviceId: gateway.uid },
  });
  return reply.json<{ password: string }>().password;
}

async function makeIntegrationKey(): Promise<{ id: string; userName: string; password: string }> {
  const body = { farmUID: farm.uid, name: 'ChirpStack' };
  const reply = await server.call('POST /integration-key', { headers: await server.signIn(owner), body });
  return reply.json();
}

async function passwordFile(content = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-users-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'passwd');
  await writeFile(path, content, { mode: 0o604 });
  return path;
}

const write = (path: string, pidFile?: string) => writeBrokerUsers(server.database.db, path, { pidFile });
const namesIn = async (path: string) =>
  (await readFile(path, 'utf8')).split('\n').map((line) => line.split(':')[0]);

describe("Mosquitto's password file", () => {
  it('gets all keys in use, loses those that are not, and keeps the lines of others and its rights', async () => {
    const path = await passwordFile(
      'headrace:$7$1$a$b\n0004A30B001C0530:gone\nint-deadbeef:gone\nmonitor:x\n',
    );
    await renewKey();
    const { id, userName } = await makeIntegrationKey();
    expect(await write(path)).toMatch(
      /written\.\n2 devices and network servers may sign in\.\nNow make Mosquitto read it/,
    );
    expect(await namesIn(path)).toEqual(['headrace', 'monitor', gateway.mac, userName, '']);
    expect((await stat(path)).mode & 0o777).toBe(0o604);
    expect(await readFile(path, 'utf8')).toContain(await brokerUserLines(server.database.db));
    const query = { farmUID: farm.uid, keyUID: id };
    await server.call('DELETE /integration-key', { headers: await server.signIn(owner), query });
    await server.database.pool.query('update device set deleted_at = now() where id = $1', [gateway.id]);
    await write(path);
    expect(await namesIn(path)).toEqual(['headrace', 'monitor', '']);
  });

  it('is left alone when nothing changed', async () => {
    const path = await passwordFile();
    await renewKey();
    await write(path);
    const before = await stat(path);
    expect(await write(path)).toMatch(/^Nothing has changed\./);
    expect((await stat(path)).ino).toBe(before.ino);
  });

  it('has no line for a key that is not known in its form, which is named', async () => {
    const path = await passwordFile('headrace:x\n');
    expect(await write(path)).toContain(`renew them: ${gateway.mac}.`);
    expect(await namesIn(path)).toEqual(['headrace', '']);
  });

  it('lets nobody in before what the broker keeps is on its disk, and keeps those who are in', async () => {
    const { db, pool } = server.database;
    await pool.query('delete from installation');
    const path = await passwordFile('headrace:x\n');
    await renewKey();
    const expectNobody = async () => {
      expect(await write(path)).toMatch(/^No device is let in yet:/);
      await expect(brokerUserLines(db)).rejects.toThrow('No device is let in yet');
      expect(await namesIn(path)).toEqual(['headrace', '']);
    };
    await expectNobody();
    const openedAt = new Date('2026-11-20T21:00:00Z');
    await noteOpened(db, true, openedAt);
    await expectNobody();
    // The broker had it for longer than it takes until it writes.
    await noteSeen(db, new Date(openedAt.getTime() + 75_000));
    await expectNobody();
    await noteSeen(db, new Date(openedAt.getTime() + 75_001));
    expect(await write(path)).toContain('written.');
    expect(await brokerUserLines(db)).toContain(gateway.mac);

    // It lost it: who is in stays in, since the servers' next connection makes it anew.
    expect(await noteOpened(db, true, new Date())).toEqual(new Date(openedAt.getTime() + 75_001));
    await renewKey();
    expect(await write(path)).toContain('written.');
    expect(await namesIn(path)).toEqual(['headrace', gateway.mac, '']);
  });

  it('says what is wrong with the paths', async () => {
    await renewKey();
    await expect(write('/nowhere/passwd')).rejects.toThrow("/nowhere/passwd can't be written: ENOENT.");
    await expect(write(await passwordFile(), '/nowhere/pid')).rejects.toThrow(
      '/nowhere/pid holds no process id.',
    );
  });
});

describe.skipIf(!hasMosquitto)('Mosquitto with that file', () => {
  it('lets a gateway in by its key, and out again once the key is renewed', async () => {
    const mosquitto = await startMosquitto({ users: { headrace: 'x' }, extra: 'pid_file {folder}/pid' });
    const pidFile = join(mosquitto.folder, 'pid');
    const mac = gateway.mac ?? '';
    const first = await renewKey();
    await expect(signIn(mosquitto.port, mac, { password: first })).rejects.toThrow('Not authorized');
    expect(await write(mosquitto.passwordFile, pidFile)).toContain('Mosquitto reads it.');
    const client = await signInSoon(mosquitto.port, mac, first);
    await client.publishAsync(`headrace/v1/${mac}/up/io`, '{}', { qos: 1 });
    let isClosed = false;
    client.once('close', () => (isClosed = true));
    const second = await renewKey();
    await write(mosquitto.passwordFile, pidFile);
    await eventually(() => isClosed);
    await expect(signIn(mosquitto.port, mac, { password: first })).rejects.toThrow('Not authorized');
    await signIn(mosquitto.port, mac, { password: second });
    await signIn(mosquitto.port, 'headrace', { password: 'x' });
  });
});

/** The broker reads its file a moment after it is told to. */
async function signInSoon(port: number, mac: string, password: string) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await signIn(port, mac, { password });
    } catch (error) {
      if (tries > 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
