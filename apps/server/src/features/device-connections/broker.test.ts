import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway } from '../../testing/factories.ts';
import { asOperator } from '../../testing/operator.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let gateway: DeviceRow;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 5 });
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
const ask = (
  username: string,
  password: string,
  { clientid = username, peerhost = '198.51.100.1', headers = asOperator } = {},
) =>
  server.call('POST /broker/authenticate', {
    headers,
    body: { username, password, clientid, ...(peerhost && { peerhost }) },
    address: '192.0.2.7',
  });
const resultOf = async (...call: Parameters<typeof ask>) =>
  (await ask(...call)).json<{ result: string }>().result;

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
    const reply = await ask(gateway.mac ?? '', password, clientid ? { clientid } : {});
    expect([reply.statusCode, reply.json()]).toEqual([200, { result: 'deny', is_superuser: false }]);
  });

  it.each([
    // As the template code of EMQX 5.8 makes them: what a client doesn't say is an empty text, an address is a text.
    [
      'of a client that says no name and no key',
      '{"username":"","password":"","clientid":"mqttx_8f2c41d0","peerhost":"203.0.113.5"}',
    ],
    ['of a client by IPv6', '{"username":"u","password":"p","clientid":"c","peerhost":"2001:db8::5"}'],
    [
      'with names as long as MQTT allows',
      JSON.stringify({ username: 'u'.repeat(65_535), password: 'p', clientid: 'c', peerhost: '' }),
    ],
    [
      'with more than the template asks for',
      '{"username":"u","password":"p","clientid":"c","peerhost":"203.0.113.5","proto_name":"MQTT"}',
    ],
  ])('has a question %s answered with no, in the form that EMQX reads', async (_what, body) => {
    const reply = await server.call('POST /broker/authenticate', {
      headers: asOperator,
      body: JSON.parse(body) as object,
      address: '192.0.2.7',
    });
    // Any other status than 200 is no answer to EMQX, and 204 is yes.
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
    expect(reply.json()).toEqual({ result: 'deny', is_superuser: false });
  });

  it('is answered only with the operator’s token, wherever it asks from, and as often as it asks', async () => {
    for (const authorization of ['', 'Bearer the-token-of-the-operators']) {
      const body = { username: 'x', password: 'y', clientid: 'z' };
      for (const address of ['127.0.0.1', '192.0.2.7']) {
        const reply = await server.call('POST /broker/authenticate', {
          headers: { authorization },
          body,
          address,
        });
        expect(reply.statusCode).toBe(401);
      }
    }
    for (let count = 0; count < 20; count++) expect((await ask('x', 'y')).statusCode).toBe(200);
  });

  it('learns nothing more from an address that goes on guessing, and other addresses do', async () => {
    const mac = gateway.mac ?? '';
    const guesser = { peerhost: '2001:db8:0:1::5' };
    const beside = { peerhost: '2001:db8:0:1::6' };
    for (let count = 0; count < 10; count++)
      expect(await resultOf(mac, `guess ${count}`, guesser)).toBe('deny');
    expect(await resultOf(mac, 'its key', beside)).toBe('deny');
    for (let count = 0; count < 20; count++) await ask(`00:${count}`, 'guess', guesser);
    expect(await resultOf('int-00c0ffee', 'integration', beside)).toBe('deny');
    expect(await resultOf(mac, 'its key', { peerhost: '198.51.100.9' })).toBe('allow');
    server.clock.now = new Date(server.clock.now.getTime() + 60_000);
    expect(await resultOf(mac, 'its key', guesser)).toBe('allow');
  });

  it('has guesses by name alone counted where the broker says no address', async () => {
    const mac = gateway.mac ?? '';
    for (let count = 0; count < 59; count++) await ask(mac, `guess ${count}`, { peerhost: '' });
    expect(await resultOf(mac, 'its key', { peerhost: '' })).toBe('allow');
    await ask(mac, 'one more', { peerhost: '' });
    expect(await resultOf(mac, 'its key', { peerhost: '' })).toBe('deny');
    expect(await resultOf(mac, 'its key')).toBe('allow');
  });
});
