import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKey, endpoints } from '@headrace/contract/api';
import type { Endpoint } from '@headrace/contract/endpoint';
import type { AccountRow } from '../db/schema.ts';
import type { TestServer } from '../testing/test-server.ts';
import { samples } from '../testing/wall/calls.ts';
import { buildWorld, startWall, type World } from '../testing/wall/world.ts';
import { type Call, hostileCalls, mixedCalls } from './hostile-calls.ts';
import { faultsOf } from './judge.ts';
import { seeded } from './random.ts';

/** Longer runs: ATTACK_EACH=20 ATTACK_SEED=7 npx vitest run --project server apps/server/src/attack */
const SEED = Number(process.env['ATTACK_SEED'] ?? 1);
/** Hostile values for each place of a call. */
const EACH = Number(process.env['ATTACK_EACH'] ?? 2);

/** On a machine that is busy with other suites; what hangs by its values does so for longer. */
const SLOW_MS = 20_000;
const PATIENCE_MS = 180_000;

let server: TestServer;
/** Somebody else's farm, of which nothing may be told and in which nothing may change. */
let victim: World;
let victimAtFirst: string;
beforeAll(async () => {
  server = await startWall();
  victim = await buildWorld(null);
  victimAtFirst = await everythingOf(victim);
});
afterAll(() => server.close());

/** Reads change nothing, so one world is enough for all. */
let ofReads: Promise<World> | undefined;

let calls = 0;
async function send(key: string, { query, body }: Call, headers: Record<string, string>) {
  const start = performance.now();
  const reply = await server.call(key, {
    headers,
    // Each from another address: how often one may ask is no matter here.
    address: `198.51.${(calls += 1) % 250}.${Math.floor(calls / 250) % 250}`,
    ...(query && { query: { ...query } }),
    ...(body !== undefined && { body: body as object }),
  });
  return { status: reply.statusCode, body: reply.body, ms: performance.now() - start };
}

/** Texts by which one would know the farm, but those that the call itself says. */
function secretsOf(world: World, call: Call): string[] {
  const said = JSON.stringify(call);
  return textsOf(world)
    .filter(([, text]) => !said.includes(text))
    .map(([, text]) => text);
}

/** Names, addresses and keys within a world, with where they stand in it. */
function textsOf(world: World): [string, string][] {
  return Object.entries(world).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return isTelling(value) ? [[name, value] as [string, string]] : [];
    return Object.entries(value ?? {}).flatMap(([member, text]: [string, unknown]) =>
      typeof text === 'string' && isTelling(text) ? [[`${name}.${member}`, text] as [string, string]] : [],
    );
  });
}
const isTelling = (text: string) => /^[0-9a-f]{24}$|^[0-9A-F]{16}$|@example\.com$|^[\w-]{43}$/.test(text);

/** The rows of a farm's records, as one text. */
async function everythingOf({ farm, owner }: World): Promise<string> {
  const tables = ['device', 'device_group', 'command', 'alert_rule', 'schedule_template', 'schedule_set'];
  const more = ['codec', 'integration_key', 'paddock_hold', 'farm_backup', 'gateway_key', 'change_log'];
  const counts = await Promise.all(
    [...tables, ...more].map(async (table) => {
      const { rows } = await sql<{
        rows: string;
      }>`select coalesce(json_agg(t order by t::text)::text, '') as rows
        from ${sql.table(table)} t where farm_id = ${farm.id}`.execute(server.database.db);
      return `${table} ${rows[0]?.rows}`;
    }),
  );
  const { rows } = await sql<{ rows: string }>`select json_build_array(
      (select to_jsonb(f) from farm f where f.id = ${farm.id}),
      (select to_jsonb(a) from account a where a.id = ${owner.id}),
      (select json_agg(s order by s.id) from share s where s.owner_id = ${owner.id}))::text as rows`.execute(
    server.database.db,
  );
  return [...counts, rows[0]?.rows].join('\n');
}

/** What is wrong with the answers to these calls, with the calls. */
async function faultsIn(endpoint: Endpoint, made: Iterable<Call>, account: AccountRow | null) {
  const headers = account ? await server.signIn(account) : {};
  const found: string[] = [];
  for (const call of made) {
    const answer = await send(endpoint.key, call, headers);
    const faults = faultsOf(answer, secretsOf(victim, call), SLOW_MS);
    if (faults.length > 0) found.push(`${faults.join(', ')}: ${JSON.stringify(call).slice(0, 400)}`);
  }
  return found;
}

describe.each(endpoints.map((endpoint): [ApiKey, Endpoint] => [endpoint.key, endpoint]))(
  '%s',
  (key, endpoint) => {
    it(
      'takes no id of another farm, and answers hostile values with a sentence that tells nothing',
      async () => {
        const isRead = key.startsWith('GET ');
        const world = await (isRead ? (ofReads ??= buildWorld(null)) : buildWorld(null));
        const good = samples[key](world);
        const places = new Map(textsOf(world).map(([place, text]) => [text, place]));
        const theirs = new Map(textsOf(victim));
        const mixed = mixedCalls(good, (id) => theirs.get(places.get(id) ?? '') ?? null);
        // Who holds a mailed key may use it: it is a right of its own.
        const keys = [victim.invite.key, victim.resetKey];
        const meant = [...mixed].filter((call) => !keys.some((one) => JSON.stringify(call).includes(one)));
        const hostile = hostileCalls(endpoint, good, seeded(SEED + key.length), EACH);
        expect(await faultsIn(endpoint, [...meant, ...hostile], world.owner)).toEqual([]);
      },
      PATIENCE_MS,
    );
  },
);

it('none of all this has changed anything of somebody else’s farm', async () => {
  expect(await everythingOf(victim)).toBe(victimAtFirst);
});
