import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway } from '../../testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createDeviceSignIn } from './device-sign-in.ts';

let database: TestDatabase;
let farm: FarmRow;
let gateway: DeviceRow;
const clock = { now: new Date('2026-11-20T21:00:00Z') };
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = await buildAccount(database.db);
  farm = await buildFarm(database.db, owner.id);
  gateway = await buildGateway(database.db, farm.id, 'its key');
});
afterAll(() => database.close());

const signIn = (username: string, password: string) =>
  createDeviceSignIn({ db: database.db, now: () => clock.now })(username, password, '192.0.2.1');
const nameOf = (device: DeviceRow) => device.mac ?? '';

async function buildIntegrationKey(name: string, key: string): Promise<number> {
  const { id } = await database.db
    .insertInto('integration_key')
    .values({
      farm_id: farm.id,
      uid: newUid(),
      name,
      user_name: name,
      key_hash: createHash('sha256').update(key).digest(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const lastUsed = async (id: number) =>
  (
    await database.db
      .selectFrom('integration_key')
      .select('last_used_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).last_used_at;

describe('a gateway', () => {
  it('signs in with its MAC, however it is written, and its key', async () => {
    const sender = { kind: 'gateway', farmId: farm.id, deviceId: gateway.id, mac: gateway.mac };
    expect(await signIn(nameOf(gateway), 'its key')).toEqual(sender);
    expect(await signIn(nameOf(gateway).toLowerCase(), 'its key')).toEqual(sender);
  });

  it.each(['another key', '', 'its key '])('is refused with %j', async (key) => {
    expect(await signIn(nameOf(gateway), key)).toBeNull();
  });

  it("is refused with another gateway's key", async () => {
    const other = await buildGateway(database.db, farm.id, 'other key');
    expect(await signIn(nameOf(other), 'its key')).toBeNull();
  });

  it('is refused once it, or its farm, is deleted', async () => {
    const gone = await buildGateway(database.db, farm.id, 'k');
    await database.pool.query('update device set deleted_at = now() where id = $1', [gone.id]);
    expect(await signIn(nameOf(gone), 'k')).toBeNull();
    const left = await buildFarm(database.db, farm.owner_id);
    const orphan = await buildGateway(database.db, left.id, 'k');
    await database.pool.query('update farm set deleted_at = now() where id = $1', [left.id]);
    expect(await signIn(nameOf(orphan), 'k')).toBeNull();
  });

  it.each(['', 'FFFFFFFFFFFF', 'nobody', 'a\0b', 'x'.repeat(70_000)])(
    'nobody knows is refused',
    async (name) => {
      expect(await signIn(name, 'its key')).toBeNull();
    },
  );
});

describe('a network server', () => {
  it("signs in with the name and key of its farm, and the key's last use is noted once a minute", async () => {
    const id = await buildIntegrationKey('lns-1', 'integration');
    expect(await signIn('lns-1', 'integration')).toEqual({ kind: 'network', farmId: farm.id, keyId: id });
    const first = clock.now;
    expect(await lastUsed(id)).toEqual(first);
    clock.now = new Date(first.getTime() + 59_000);
    await signIn('lns-1', 'integration');
    expect(await lastUsed(id)).toEqual(first);
    clock.now = new Date(first.getTime() + 61_000);
    await signIn('lns-1', 'integration');
    expect(await lastUsed(id)).toEqual(clock.now);
  });

  it('is refused with a wrong or a withdrawn key', async () => {
    const id = await buildIntegrationKey('lns-2', 'integration');
    expect(await signIn('lns-2', 'wrong')).toBeNull();
    expect(await lastUsed(id)).toBeNull();
    await database.pool.query('update integration_key set deleted_at = now() where id = $1', [id]);
    expect(await signIn('lns-2', 'integration')).toBeNull();
  });
});
