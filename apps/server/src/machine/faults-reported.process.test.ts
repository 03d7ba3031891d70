import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import { runningPostgresUrl } from '../db/embedded/running-postgres.ts';
import { freePort } from '../testing/free-port.ts';
import { ServerProcess } from '../testing/two-servers.ts';

/** As PostgreSQL says it when its own disk is full, which may be on another machine. */
const noRoom = `
  create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger no_room before insert on sign_in_failure for each row execute function no_room()`;

it('a database that has no room, or is as large as it may be, is told by the server to /readyz and the operator', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-told-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = new ServerProcess('told', {
    DATA_DIR: folder,
    MQTT_PORT: String(await freePort()),
    OPERATOR_MAIL: 'operator@example.com',
    DATABASE_MAX_MB: '1',
  });
  onTestFinished(() => server.end('SIGTERM'));
  await server.start();
  const { db, pool, close } = connectDatabase((await runningPostgresUrl(folder)) ?? '');
  onTestFinished(() => close());
  const told = async () =>
    (await db.selectFrom('outbox').select(['recipient', 'subject']).orderBy('id').execute()).map(
      ({ recipient, subject }) => [recipient, subject?.replace(/^Headrace on \S+: /, '')],
    );
  await expect
    .poll(async () => (await server.readiness()).checks)
    .toMatchObject({
      letters: 'ok',
      databaseSize: expect.stringMatching(/^warning: the database is larger than it may be/) as string,
    });
  await expect
    .poll(told)
    .toContainEqual(['operator@example.com', 'the database is nearly as large as it may be']);

  await pool.query(noRoom);
  const reply = await fetch(`${server.url}/v1/account/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', deviceuid: 'test' },
    body: JSON.stringify({ email: 'nobody@example.com', password: 'wrong-password' }),
  });
  expect(reply.status).toBe(503);
  expect(await server.readiness()).toMatchObject({
    status: 503,
    checks: { disk: "the database's disk is full: nothing can be stored" },
  });
  await expect.poll(told).toContainEqual(['operator@example.com', 'the disk is full']);
  expect(server.log).toContain('the disk is full');
});
