import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { AccountRow } from '../db/schema.ts';
import { buildAccount, buildShare, buildTank } from '../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';
import { whileLocked } from '../testing/while-locked.ts';

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await createTestServer();
  url = await server.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

let world: FarmWorld;
let agent: AccountRow;
let headers: Record<string, string>;
beforeEach(async () => {
  const { db } = server.database;
  world = await buildFarmWorld(server);
  const tank = await buildTank(db, world.farm.id);
  await world.record(tank, [{ at: '2026-11-19T20:50:00Z', values: { levelMm: 1000 } }]);
  agent = await buildAccount(db, { type: 'AGENT' });
  await buildShare(db, world.farm.id, agent.id, presets.agent);
  headers = await server.signIn(agent);
});

const days = { start: '19-11-2026', stop: '20-11-2026' };
const files = {
  readings: {
    table: 'reading',
    path: () =>
      `/v1/export/readings.csv?farmUID=${world.farm.uid}&each=reading&startDate=${days.start}&endDate=${days.stop}`,
  },
  diary: {
    table: 'watering_run',
    path: () => `/v1/irr-diary-logs/csv?farmUID=${world.farm.uid}&start=${days.start}&stop=${days.stop}`,
  },
  account: { table: 'page_view', path: () => '/v1/account/data' },
} as const;

/** The file, during which something happens: one table that it is made from is withheld until that is done, two seconds later. */
function during(
  { table, path }: (typeof files)[keyof typeof files],
  happens: () => Promise<unknown>,
  encoding = 'identity',
): Promise<[Promise<string>]> {
  const ask = async () => {
    const reply = await fetch(`${url}${path()}`, { headers: { ...headers, 'accept-encoding': encoding } });
    expect(reply.status).toBe(200);
    return reply.text();
  };
  return whileLocked(server.database.db, [table], ask, async () => {
    await happens();
    server.clock.now = new Date(server.clock.now.getTime() + 2000);
  });
}

const shareEnds = () => sql`delete from share where agent_id = ${agent.id}`.execute(server.database.db);
const signsOut = () => server.call('POST /account/logout', { headers });
const isDeleted = () => sql`delete from account where id = ${agent.id}`.execute(server.database.db);
const seesNoSensors = () =>
  sql`update share set permissions = ${JSON.stringify({ ...presets.agent, sensors: 0 })} where agent_id = ${agent.id}`.execute(
    server.database.db,
  );

describe('a file that is made while it is sent', () => {
  it.each([
    ['readings', 'the share ends', shareEnds],
    ['readings', 'the caller signs out', signsOut],
    ['readings', 'the account is deleted', isDeleted],
    ['readings', 'sensors may no longer be seen', seesNoSensors],
    ['diary', 'the share ends', shareEnds],
    ['account', 'the caller signs out', signsOut],
  ] as const)('breaks off, of %s, when %s', async (file, _what, happens) => {
    const [late] = await during(files[file], happens);
    await expect(late).rejects.toThrow();
  });

  it('breaks off where it is compressed, too', async () => {
    const [late] = await during(files.readings, shareEnds, 'gzip');
    await expect(late).rejects.toThrow();
  });

  it.each(['readings', 'diary', 'account'] as const)(
    'is whole, of %s, when nothing happens',
    async (file) => {
      const [late] = await during(files[file], async () => undefined);
      await expect(late).resolves.toMatch(/\n$/);
    },
  );
});
