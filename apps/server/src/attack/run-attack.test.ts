import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { presets } from '@headrace/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hashPassword } from '../features/accounts/password.ts';
import { buildAccount, buildDevice, buildFarm, buildGateway, buildShare } from '../testing/factories.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';
import { type Attack, exits, runAttack } from './run-attack.ts';

const PASSWORD = 'correct horse';
let server: TestServer;
let url: string;
let password_hash: string;
/** Tokens of those who were signed in by the attack are not known: the hole takes the other account's own. */
let others: Record<string, string>;
let ownersOwn: Record<string, string>;
let othersFarm: string;
let othersId: number;
let attack: Attack;
let said: string[];
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 1_000_000 });
  password_hash = await hashPassword(PASSWORD);
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(server.http.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

let count = 0;
async function account(changes: Parameters<typeof buildAccount>[1] = {}) {
  const email = `attack${(count += 1)}@example.com`;
  const row = await buildAccount(server.database.db, { email, password_hash, ...changes });
  return { row, given: { email, password: PASSWORD } };
}
async function farmOf(owner: { row: { id: number } }) {
  const { db } = server.database;
  const farm = await buildFarm(db, owner.row.id);
  await buildGateway(db, farm.id);
  await buildDevice(db, farm.id, 'sensor');
  return farm;
}

beforeEach(async () => {
  said = [];
  const { db } = server.database;
  const [first, other] = [await account(), await account()];
  const farm = await farmOf(first);
  ({ uid: othersFarm } = await farmOf(other));
  others = await server.signIn(other.row);
  othersId = other.row.id;
  ownersOwn = await server.signIn(first.row);
  const [guest, ended] = [await account({ type: 'AGENT' }), await account({ type: 'AGENT' })];
  const staff = await account({ is_staff: true });
  await buildShare(db, farm.id, guest.row.id, presets.guest);
  const yesterday = new Date(server.clock.now.getTime() - 86_400_000);
  await buildShare(db, farm.id, ended.row.id, presets.farmManager, yesterday);
  attack = {
    url,
    first: first.given,
    other: other.given,
    visitors: [
      { role: 'guest', ...guest.given },
      { role: 'ended', ...ended.given },
      { role: 'staff', ...staff.given },
    ],
    seed: 1,
    each: 1,
    waitMs: 0,
    only: /^(GET \/farm|POST \/group|POST \/telemetry\/add)$/,
  };
});

const run = (changes: Partial<Attack> = {}) =>
  runAttack({ ...attack, ...changes }, (line) => void said.push(line));

/** A server in front of ours that lets everybody do something by taking it for somebody else, or refuses it with a status. */
async function withHole(
  isHole: (request: IncomingMessage, body: string) => boolean,
  authorization: string | undefined,
  status?: number,
): Promise<string> {
  const proxy = createServer((asked, reply) => {
    const parts: Buffer[] = [];
    asked.on('data', (part: Buffer) => parts.push(part));
    asked.on('end', () => {
      const body = Buffer.concat(parts);
      if (status && isHole(asked, Buffer.concat(parts).toString())) return reply.writeHead(status).end('{}');
      const headers = { ...asked.headers };
      if (isHole(asked, body.toString()) && authorization) headers['authorization'] = authorization;
      const passed = request(`${url}${asked.url}`, { method: asked.method, headers }, (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      });
      passed.end(body);
    });
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

it('finds nothing wrong in ours, and says how much it tried', async () => {
  expect([await run(), said]).toEqual([exits.fine, expect.arrayContaining(['Nothing wrong was found.'])]);
  expect(said.join('\n')).toMatch(/\d\d+ calls sent: \d+ were done, \d+ refused\./);
});

it('says of what it tried alone that nothing is wrong there, where an account was not given or a right not asked for', async () => {
  const only = /^GET \/farm$/;
  const partly = 'Nothing wrong was found in what was tried.';
  expect([await run({ only, other: null }), said.at(-1)]).toEqual([exits.inPart, partly]);
  expect(said).toContain('Not tried, since no account was given for it: --other');
  said = [];
  const choosy = await withHole(({ url: asked = '' }) => asked.includes(othersFarm), undefined, 400);
  expect([await run({ only, url: choosy }), said.at(-1)]).toEqual([exits.inPart, partly]);
  expect(said.join('\n')).toContain('before the right to them was asked for: GET /farm');
});

it('finds a server that lets everybody read another’s farm', async () => {
  const hole = await withHole(
    ({ method, url: asked = '' }) => method === 'GET' && asked.startsWith('/v1/farm?'),
    others['authorization'],
  );
  expect(await run({ url: hole })).toBe(exits.faults);
  expect(said.join('\n')).toContain("GET /farm answered 200 about the other account's");
});

it('finds a server that tells of another’s meter by its serial number', async () => {
  const hole = await withHole(
    ({ url: asked = '' }) => asked.startsWith('/v1/flow/history'),
    others['authorization'],
  );
  expect(await run({ url: hole, only: /^GET \/flow\/history$/, visitors: [] })).toBe(exits.faults);
  expect(said.join('\n')).toContain("GET /flow/history answered 200 about the other account's");
});

it('names what the other account has nothing of: it tried nothing there', async () => {
  const only = /^(GET \/group|GET \/alert|DELETE \/backup|GET \/schedule-template)$/;
  expect(await run({ only })).toBe(exits.inPart);
  const line = said.find((one) => one.startsWith('Not tried, since the other account has nothing'));
  expect(line?.split(': ')[1]?.split(', ').toSorted()).toEqual([
    'DELETE /backup',
    'GET /alert',
    'GET /group',
    'GET /schedule-template',
  ]);
});

describe('what ends sessions, passwords and addresses', () => {
  const only =
    /\/account\/(logout|close|change-password|details|session|sessions|device|reset-password|new-email|undo-email)$/;

  it('is tried like all else, and the attack lives on', async () => {
    // Changing the account is cut short: twenty times a minute.
    expect(await run({ only, visitors: [] })).toBe(exits.inPart);
    const text = said.join('\n');
    expect(text).not.toContain('The session ended on the way');
    expect(text).toMatch(/Cut short, .*: POST \/account\/details$/m);
    expect(text).toMatch(/^[5-9]\d calls sent/m);
    expect(text).toContain('Nothing wrong was found in what was tried.');
  });

  it.each(['POST /account/logout', 'DELETE /account/sessions', 'DELETE /account/close'])(
    'finds a server that does %s without a session',
    async (key) => {
      const [method, path] = key.split(' ');
      const hole = await withHole(
        (asked) => asked.method === method && asked.url === `/v1${path}`,
        undefined,
        200,
      );
      expect(await run({ url: hole, only, each: 0 })).toBe(exits.faults);
      expect(said.join('\n')).toContain(`${key} answered 200 without a session`);
    },
  );

  it('finds a server that lets everybody sign another out', async () => {
    // The session by which the hole takes everybody for the other account ends last.
    const { db } = server.database;
    const last_used_at = new Date(server.clock.now.getTime() - 60_000);
    await db.updateTable('session').set({ last_used_at }).where('account_id', '=', othersId).execute();
    const hole = await withHole(
      ({ method, url: asked = '' }) => method === 'DELETE' && asked.startsWith('/v1/account/session?'),
      others['authorization'],
    );
    expect(await run({ url: hole, only: /^DELETE \/account\/session$/, visitors: [] })).toBe(exits.faults);
    const text = said.join('\n');
    expect(text).toContain('DELETE /account/session signed the other account out');
    expect(text).toContain('The other account was signed out on the way');
  });
});

it('finds a server that lets everybody write to another’s farm', async () => {
  const hole = await withHole(
    ({ method, url: asked = '' }) => method === 'POST' && asked === '/v1/group',
    others['authorization'],
  );
  expect(await run({ url: hole, only: /^POST \/group$/ })).toBe(exits.faults);
  expect(said.join('\n')).toContain('POST /group answered 20');
  expect(said).toContain('Something of the other account has another name now, is new or gone');
});

it('finds a server that lets guests, former guests, staff and nobody do what the owner may', async () => {
  const hole = await withHole(({ url: asked }) => asked === '/v1/group', ownersOwn['authorization']);
  expect(await run({ url: hole, only: /^POST \/group$/, other: null })).toBe(exits.faults);
  const text = said.join('\n');
  for (const who of [
    'to guest, who may not',
    'to ended, who may not',
    'to staff, who may not',
    'without a session',
  ])
    expect(text).toMatch(new RegExp(`POST /group answered (20[01]|409) ${who}`));
});

it('says that nothing was tried with an account that has a second step, and one that sees no farm', async () => {
  const [asked, bare] = [await account(), await account()];
  const second_step_since = server.clock.now;
  const { db } = server.database;
  await db.updateTable('account').set({ second_step_since }).where('id', '=', asked.row.id).execute();
  await expect(run({ first: asked.given })).rejects.toThrow('has a second step');
  await expect(run({ first: bare.given })).rejects.toThrow('sees no farm, so there is nothing to try');
  await expect(run({ other: attack.first })).rejects.toThrow(
    "has no farm that the first account doesn't see",
  );
  await expect(run({ visitors: [{ role: 'staff', ...bare.given }] })).rejects.toThrow('is no staff');
});

it('waits where it asked too often, as long as it may, and says what was cut short', async () => {
  const waited: number[] = [];
  const sleep = async (ms: number) => void waited.push(ms);
  const only = /^POST \/account\/forgot-password$/;
  expect(await run({ only, each: 20, waitMs: 100_000, sleep, visitors: [], other: null })).toBe(exits.inPart);
  expect(waited.length).toBeGreaterThan(0);
  expect(Math.max(...waited)).toBeLessThanOrEqual(60_000);
  const text = said.join('\n');
  expect(text).toContain(
    'Cut short, since they may not be asked for so often (--wait): POST /account/forgot-password',
  );
  expect(text).toContain('Nothing wrong was found in what was tried.');
});

it('says that its session ended on the way', async () => {
  let calls = 0;
  const hole = await withHole(() => (calls += 1) > 20, 'a session that is none');
  expect(await run({ url: hole, visitors: [], other: null })).toBe(exits.faults);
  expect(said.join('\n')).toContain('The session ended on the way (401)');
});
