import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKey, endpoints } from '@headrace/contract/api';
import type { Endpoint } from '@headrace/contract/endpoint';
import type { AccountRow } from './db/schema.ts';
import { newUid } from './db/ids.ts';
import { deleteFarm } from './features/farms/delete-farm.ts';
import { buildAccount } from './testing/factories.ts';
import { asOperator } from './testing/operator.ts';
import type { TestServer } from './testing/test-server.ts';
import { samples } from './testing/wall/calls.ts';
import { statusOnFarm, statusWithoutFarm, visitors } from './testing/wall/visitors.ts';
import { buildWorld, startWall, type Visitor, type World } from './testing/wall/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startWall();
});
afterAll(() => server.close());

/** Worlds by who knocks, or by what was done to them: building one takes longer than any call. Each is used until a call may have changed it. */
const worlds = new Map<string, World>();

async function worldFor(
  visitor: Visitor | null,
  state = '',
  arrange?: (world: World) => Promise<unknown>,
): Promise<World> {
  const name = state || (visitor?.name ?? 'nobody');
  const known = worlds.get(name);
  if (known) return known;
  const world = await buildWorld(visitor);
  await arrange?.(world);
  worlds.set(name, world);
  return world;
}

const REFUSED = [401, 403, 404];

function forget(used: World): void {
  for (const [name, world] of worlds) if (world === used) worlds.delete(name);
}

let knocks = 0;
async function knock(endpoint: Endpoint, world: World, visitor: AccountRow | null): Promise<number> {
  return (await replyTo(endpoint, world, visitor)).statusCode;
}

async function replyTo(endpoint: Endpoint, world: World, visitor: AccountRow | null) {
  const headers = visitor ? await server.signIn(visitor) : {};
  const reply = await server.call(endpoint.key, {
    headers,
    // Each from another address: how often one may ask is no matter here.
    address: `192.0.2.${(knocks += 1) % 250}`,
    ...samples[endpoint.key as ApiKey](world),
  });
  if (!endpoint.key.startsWith('GET ') && !REFUSED.includes(reply.statusCode)) forget(world);
  return reply;
}

/** They name a farm by right: holding a mailed key is one, and so are one's own past shares and long jobs. */
const namesTheFarm: ReadonlySet<string> = new Set<ApiKey>([
  'GET /invite',
  'POST /accept-invite',
  'GET /invites',
  'GET /job',
  'POST /job/cancel',
]);

/** By which a stranger would know the farm, but what the call itself says. */
function leaksOf(world: World, endpoint: Endpoint, body: string): string[] {
  if (namesTheFarm.has(endpoint.key)) return [];
  const said = JSON.stringify(samples[endpoint.key as ApiKey](world));
  const { owner, farm, tank, gateway, sprinkler } = world;
  const telling = [owner.email, farm.uid, tank.uid, gateway.mac ?? '', sprinkler.uid];
  return telling.filter((text) => !said.includes(text) && body.includes(text));
}

describe.each(endpoints.map((endpoint): [string, Endpoint] => [endpoint.key, endpoint]))(
  '%s',
  (_key, endpoint) => {
    it('answers nobody without a token, unless it is public', async () => {
      const status = await knock(endpoint, await worldFor(null), null);
      if (!('public' in endpoint.needs)) expect(status).toBe(401);
      else expect(status).toBe(endpoint.textError ? 401 : 200);
    });

    it.each(visitors)('lets in or turns away $name as declared', async (visitor) => {
      const world = await worldFor(visitor);
      const { body } = samples[endpoint.key as ApiKey](world);
      const expected = endpoint.target
        ? statusOnFarm(endpoint, visitor, body)
        : statusWithoutFarm(endpoint, visitor);
      const reply = await replyTo(endpoint, world, world.visitor);
      expect(reply.statusCode).toBe(expected);
      if (!visitor.permissions) expect(leaksOf(world, endpoint, reply.body)).toEqual([]);
    });

    it.runIf(endpoint.target)('finds nothing of a farm that was deleted, for its owner neither', async () => {
      const world = await worldFor(null, 'deleted', ({ owner, farm }) =>
        deleteFarm(server.database.db, farm.id, { accountId: owner.id, now: server.clock.now }),
      );
      expect(await knock(endpoint, world, world.owner)).toBe(endpoint.emptyStatus ?? 404);
    });

    it('asks somebody with a password given by another for a password first, unless it serves that', async () => {
      const { db } = server.database;
      const world = await worldFor(null, 'new password', ({ owner }) =>
        db
          .updateTable('account')
          .set({ must_change_password: true, is_staff: true })
          .where('id', '=', owner.id)
          .execute(),
      );
      const isServed = 'public' in endpoint.needs || endpoint.beforeNewPassword;
      const status = await knock(endpoint, world, world.owner);
      if (isServed) expect(status).toBe(endpoint.textError ? 401 : 200);
      else expect(status).toBe('operator' in endpoint.needs ? 401 : 403);
    });
  },
);

const operators = endpoints.filter(({ needs }) => 'operator' in needs);
it.each(operators.map((endpoint): [string, Endpoint] => [endpoint.key, endpoint]))(
  '%s lets the operator in by the token, and nobody by an address',
  async (key, endpoint) => {
    const { body, query } = samples[key as ApiKey](await buildWorld(null));
    const statusFrom = async (address: string, headers: Record<string, string>) =>
      (await server.call(endpoint.key, { address, headers, ...(body && { body }), ...(query && { query }) }))
        .statusCode;
    expect(await statusFrom('198.51.100.1', asOperator)).toBe(200);
    for (const address of ['127.0.0.1', '::1', '198.51.100.1'])
      expect(await statusFrom(address, {})).toBe(401);
  },
);

it('refuses a token that is made up', async () => {
  const reply = await server.call('GET /farms-card', { headers: { authorization: 'x'.repeat(43) } });
  expect(reply.statusCode).toBe(401);
});

it("answers a stranger's farm and one that does not exist alike", async () => {
  const world = await buildWorld(null);
  const headers = await server.signIn(await buildAccount(server.database.db));
  const theirs = await server.call('GET /farm', { headers, query: { uid: world.farm.uid } });
  const none = await server.call('GET /farm', { headers, query: { uid: newUid() } });
  expect([theirs.statusCode, theirs.body]).toEqual([204, '']);
  expect([none.statusCode, none.body]).toEqual([204, '']);
});
