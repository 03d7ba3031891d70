import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectDatabase } from '../db/client.ts';
import { runningPostgresUrl } from '../db/embedded/running-postgres.ts';
import { smallDisk } from '../db/embedded/testing/workspace.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../testing/factories.ts';
import { freePort } from '../testing/free-port.ts';
import { expectAllStored, Publisher, untilQuiet } from '../testing/killed-kit.ts';
import { openSession } from '../testing/open-session.ts';
import { ServerProcess } from '../testing/two-servers.ts';

const MIB = 2 ** 20;

/** Writes to this file until so much is left, or nothing can be written any more. */
function fill(file: string, folder: string, leave: number): void {
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  try {
    while (free() > leave) appendFileSync(file, Buffer.alloc(MIB / 4));
  } catch {
    // Full, as wanted.
  }
}

/** What somebody does with files of the farm. */
function filesOf(server: ServerProcess, farmUID: string, authorization: string) {
  const call = (method: string, path: string, body?: object) =>
    fetch(`${server.url}/v1${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify({ farmUID, ...body }) }),
    });
  const data = 'name;serial;mac\nA1;IPC1;0004A3DD0001';
  return {
    backUp: () => call('POST', '/backup', { desc: 'Of the test' }),
    importUnit: () => call('POST', '/import/file', { typeFile: 'podlist', filename: 'a.csv', data }),
    async standing() {
      const backups = (await (await call('GET', `/backup/list?farmUID=${farmUID}`)).json()) as unknown[];
      const site = (await (await call('GET', `/export/site-json?farmUID=${farmUID}`)).json()) as {
        ipcs: unknown[];
      };
      return { backups: backups.length, sprinklers: site.ipcs.length };
    },
  };
}

it('a disk that fills up is told before it is full; full, it loses nothing, ends nobody, and all goes on when there is room', async (context) => {
  const disk = smallDisk('400m');
  if (!disk) return context.skip('mounting a small disk is not allowed here');
  const { folder } = disk;
  const mqttPort = await freePort();
  const server = new ServerProcess('full', {
    DATA_DIR: folder,
    MQTT_PORT: String(mqttPort),
    OPERATOR_MAIL: 'operator@example.com',
  });
  onTestFinished(() => server.end('SIGTERM'));
  await server.start();
  const url = (await runningPostgresUrl(folder)) ?? '';
  const database = connectDatabase(url);
  onTestFinished(() => database.close());
  const owner = await buildAccount(database.db);
  const farm = await buildFarm(database.db, owner.id);
  const files = filesOf(server, farm.uid, await openSession(database.db, owner.id));
  const gateway = await buildGateway(database.db, farm.id, 'key');
  const publisher = new Publisher(gateway, [await buildTank(database.db, farm.id)], 20);
  onTestFinished(() => publisher.end());
  await publisher.connect(mqttPort);
  const disks = async () => {
    const { status, checks } = await server.readiness();
    return [status, checks['disk']];
  };
  const mails = async () => (await database.db.selectFrom('outbox').select('subject').execute()).length;
  await expect.poll(disks).toEqual([200, 'ok']);

  const ballast = join(folder, 'ballast');
  fill(ballast, folder, 25 * MIB);
  await expect
    .poll(disks)
    .toEqual([200, expect.stringMatching(/^warning: the disk is nearly full: 0\.0 GiB of 0\.4 GiB free/)]);
  await expect.poll(mails).toBe(1);
  expect(await server.metric('headrace_disk_free_bytes{of="database"}')).toBeLessThan(40 * MIB);
  // With its template's tables and ours a new one has some 12 MB.
  expect(await server.metric('headrace_database_bytes')).toBeGreaterThan(8 * MIB);

  fill(ballast, folder, 0);
  await expect.poll(disks).toEqual([503, expect.stringMatching(/disk is full/)]);
  // The journal has room of its own for a while: until that is used up, what is acknowledged is stored.
  await expect.poll(() => server.log.includes('No space left on device'), { timeout: 90_000 }).toBe(true);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const replies = [await files.backUp(), await files.importUnit()];
  const [isBackedUp, isImported] = replies.map(({ ok }) => ok);
  for (const reply of replies.filter(({ ok }) => !ok))
    expect(((await reply.json()) as { errorMessage: string }).errorMessage).toMatch(
      /disk is full|database|too busy/,
    );

  rmSync(ballast);
  await expect.poll(disks, { timeout: 60_000 }).toEqual([200, 'ok']);
  // What was answered is so, and nothing else: an import goes with its own backup or not at all.
  const standing = {
    backups: Number(isBackedUp) + Number(isImported),
    sprinklers: Number(isImported),
  };
  expect(await files.standing()).toEqual(standing);
  expect((await files.backUp()).status).toBe(200);
  expect((await files.standing()).backups).toBe(standing.backups + 1);
  const before = publisher.acknowledged.length;
  await expect.poll(() => publisher.acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 20);
  await publisher.end();
  await database.close();
  const after = connectDatabase((await runningPostgresUrl(folder)) ?? '');
  onTestFinished(() => after.close());
  await untilQuiet(after.db);
  await expectAllStored(after.db, [publisher]);
}, 300_000);
