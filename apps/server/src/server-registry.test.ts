import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually, pause } from './mqtt/testing/door-kit.ts';
import { joinServers, type RegistryDuties, type ServerRegistry } from './server-registry.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const TIMING = { tickMs: 30, goneAfterMs: 400, waitMs: 100 };
const log = { info: () => undefined, warn: () => undefined };

class Server implements RegistryDuties {
  leads = false;
  readonly adopted: string[] = [];
  /** Whether it can empty a session that it takes over. */
  canEmpty = true;
  registry: ServerRegistry | undefined;

  onLead = (leads: boolean) => {
    this.leads = leads;
  };

  adopt = (clientId: string) => {
    this.adopted.push(clientId);
    return Promise.resolve(this.canEmpty);
  };
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

const names = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    'select client_id as name from broker_session order by 1',
  );
  return rows.map(({ name }) => name);
};

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

  it('have one among them that listens to the states of gateways, and another when it stops', async () => {
    const [a, b] = [await join('a'), await join('b')];
    await eventually(() => a.leads || b.leads);
    // Several turns of both.
    await pause(5 * TIMING.tickMs);
    const [first, second] = a.leads ? [a, b] : [b, a];
    expect(second.leads).toBe(false);
    await first.registry?.stop();
    expect(first.leads).toBe(false);
    await eventually(() => second.leads);
  });

  it('take over at once what waits for one that stopped, and forget it when that is empty', async () => {
    const [a, gone] = [await join('a'), await join('gone')];
    await gone.registry?.stop();
    await eventually(() => a.adopted.includes('gone'));
    await expect.poll(names).toEqual(['a']);
  });

  it('try again as long as there is something left', async () => {
    const [a, gone] = [await join('a'), await join('gone')];
    a.canEmpty = false;
    await gone.registry?.stop();
    await eventually(() => a.adopted.length >= 3);
    expect(await names()).toContain('gone');
    a.canEmpty = true;
    await expect.poll(names).toEqual(['a']);
  });

  it('let one that only lost its database for a moment be, and it leads or follows as before', async () => {
    // Longer than a moment takes on a busy machine.
    const patient = { goneAfterMs: 60_000 };
    const alone = await join('alone', patient);
    await eventually(() => alone.leads);
    await die('alone');
    await eventually(() => !alone.leads);
    await eventually(() => alone.leads && alone.registry?.trouble() === null);
    const other = await join('other', patient);
    await die('alone');
    await eventually(() => alone.registry?.trouble() === null);
    expect(other.adopted).toEqual([]);
    await eventually(() => alone.leads !== other.leads);
  });
});
