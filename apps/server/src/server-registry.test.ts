import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually, pause } from './mqtt/testing/transport-kit.ts';
import { joinServers, type RegistryDuties, type ServerRegistry } from './server-registry.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const TIMING = { tickMs: 30, waitMs: 100 };
const log = { info: () => undefined, warn: () => undefined };

class Server implements RegistryDuties {
  leads: boolean | undefined;
  /** How often it lost the lead, however soon it had it again. */
  losses = 0;
  isOutOfReach = false;
  registry: ServerRegistry | undefined;

  onLead = (leads: boolean) => {
    if (this.leads && !leads) this.losses += 1;
    this.leads = leads;
  };

  isStuck = () => this.isOutOfReach;
}

async function join(clientId: string, timing: Partial<typeof TIMING> = {}): Promise<Server> {
  const server = new Server();
  const registry = await joinServers({
    databaseUrl: database.url,
    clientId,
    log,
    timing: { ...TIMING, ...timing },
  });
  server.registry = registry;
  onTestFinished(() => registry.stop());
  registry.watch(server);
  return server;
}

/** As the database sees a machine that is switched off: the connection is gone, and nobody says goodbye. */
async function die(clientId: string): Promise<void> {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select l.pid from pg_locks l where l.locktype = 'advisory'
     and l.objid = (hashtext($1)::bigint & 4294967295)::oid`,
    [`headrace broker session ${clientId}`],
  );
  for (const { pid } of rows) await database.pool.query('select pg_terminate_backend($1)', [pid]);
}

describe('servers behind one broker', () => {
  it('have names of their own: a second one of the same name is refused with the remedy', async () => {
    await join('twin');
    await expect(join('twin')).rejects.toThrow(/uses the name twin at the broker.*SERVER_NAME/);
  });

  it('wait for their name as long as it may take until the one before them is gone', async () => {
    const first = await join('restarted');
    const second = join('restarted', { waitMs: 5_000 });
    await first.registry?.stop();
    await second;
  });

  it('have one among them that takes what devices say, and another when it stops', async () => {
    const [a, b] = [await join('a'), await join('b')];
    await eventually(() => a.leads !== undefined && b.leads !== undefined);
    // Several turns of both.
    await pause(5 * TIMING.tickMs);
    const [first, second] = a.leads ? [a, b] : [b, a];
    expect(second.leads).toBe(false);
    await first.registry?.stop();
    expect(first.leads).toBe(false);
    await eventually(() => second.leads === true);
  });

  it('pass it on when the one that takes it can not reach the broker', async () => {
    const [a, b] = [await join('a'), await join('b')];
    await eventually(() => a.leads !== undefined && b.leads !== undefined);
    const [first, second] = a.leads ? [a, b] : [b, a];
    first.isOutOfReach = true;
    await eventually(() => second.leads === true && first.leads === false);
    // Several turns of both.
    await pause(5 * TIMING.tickMs);
    expect([first.leads, second.leads]).toEqual([false, true]);
  });

  it('have one that takes it again after they lost their database for a moment', async () => {
    const alone = await join('alone');
    await eventually(() => alone.leads === true);
    await die('alone');
    await eventually(() => alone.losses === 1);
    await eventually(() => alone.leads === true && alone.registry?.trouble() === null);
    const other = await join('other');
    await die('alone');
    await eventually(() => alone.losses === 2 && alone.registry?.trouble() === null);
    await eventually(() => other.leads !== undefined && alone.leads !== other.leads);
  });
});
