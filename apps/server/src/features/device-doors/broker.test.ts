import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

const TOKEN = 'operator-token-1234';
let server: TestServer;
let gateway: DeviceRow;
beforeAll(async () => {
  server = await createTestServer({ operatorToken: TOKEN, requestsPerMinute: 5 });
  const { db } = server.database;
  const farm = await buildFarm(db, (await buildAccount(db)).id);
  gateway = await buildGateway(db, farm.id, 'its key');
  await db
    .insertInto('integration_key')
    .values({
      farm_id: farm.id,
      uid: newUid(),
      name: 'LNS',
      user_name: 'int-00c0ffee',
      key_hash: createHash('sha256').update('integration').digest(),
    })
    .execute();
});
afterAll(() => server.close());

/** As EMQX asks with the configuration in docs/deploy/emqx. */
const ask = (username: string, password: string, clientid = username, authorization = `Bearer ${TOKEN}`) =>
  server.call('POST /broker/authenticate', {
    headers: { authorization },
    body: { username, password, clientid },
    address: '192.0.2.7',
  });

describe('an outside broker that asks who may sign in', () => {
  it('hears that a gateway may, and that it has its own corner', async () => {
    const mac = gateway.mac ?? '';
    const reply = await ask(mac, 'its key');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(reply.json()).toEqual({
      result: 'allow',
      is_superuser: false,
      acl: [
        { permission: 'allow', action: 'publish', topic: `headrace/v1/${mac}/up/#` },
        { permission: 'allow', action: 'publish', topic: `headrace/v1/${mac}/state` },
        { permission: 'allow', action: 'subscribe', topic: `headrace/v1/${mac}/down/#` },
        { permission: 'deny', action: 'all', topic: '#' },
      ],
    });
  });

  it('hears that a network server may; its topics are the rules of the broker', async () => {
    expect((await ask('int-00c0ffee', 'integration')).json()).toEqual({
      result: 'allow',
      is_superuser: false,
    });
  });

  it.each([
    ['a wrong key', 'another', undefined],
    ['no key', '', undefined],
    ["a server's client id", 'its key', 'headrace-a'],
    ["a server's client id, written otherwise", 'its key', 'HEADRACE-a-live'],
  ])('hears that a gateway with %s may not', async (_what, password, clientid) => {
    const reply = await ask(gateway.mac ?? '', password, clientid);
    expect([reply.statusCode, reply.json()]).toEqual([200, { result: 'deny', is_superuser: false }]);
  });

  it('is answered only with the operator’s token, as often as it asks', async () => {
    expect((await ask('x', 'y', 'z', '')).statusCode).toBe(401);
    expect((await ask('x', 'y', 'z', 'Bearer operator-token-1235')).statusCode).toBe(401);
    for (let count = 0; count < 20; count++) expect((await ask('x', 'y')).statusCode).toBe(200);
  });
});
