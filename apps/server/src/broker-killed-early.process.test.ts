import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { brokerHash } from './features/device-connections/broker-hash.ts';
import { writeBrokerUsers } from './features/operator/broker-users.ts';
import { KEY } from './mqtt/testing/transport-kit.ts';
import { hasMosquitto } from './mqtt/testing/mosquitto.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from './testing/factories.ts';
import { expectAllStored, Publisher, untilQuiet } from './testing/killed-kit.ts';
import { openSite } from './testing/two-servers.ts';

describe.skipIf(!hasMosquitto)('a broker that is killed seconds after its very first start', () => {
  it('loses nothing that it acknowledged: devices come in once what it keeps is on its disk', async () => {
    const site = await openSite({ users: { headrace: KEY }, extra: 'pid_file {folder}/pid' });
    const { mosquitto } = site;
    const { db } = site.database;
    const farm = await buildFarm(db, (await buildAccount(db)).id);
    const gateway = await buildGateway(db, farm.id, 'key');
    await db
      .updateTable('gateway_key')
      .set({ broker_hash: brokerHash('key') })
      .execute();
    const publisher = new Publisher(gateway, [await buildTank(db, farm.id)], 20);
    const place = {
      pidFile: join(mosquitto.folder, 'pid'),
      stateFile: join(mosquitto.folder, 'mosquitto.db'),
    };
    const letIn = () => writeBrokerUsers(db, mosquitto.passwordFile, place);
    expect(await letIn()).toMatch(/^No device is let in yet/);

    const server = site.server('a');
    const begun = performance.now();
    await server.start();
    await expect.poll(letIn).toContain('Mosquitto reads it.');
    await publisher.connect(mosquitto.port);
    await expect.poll(() => publisher.acknowledged.length).toBeGreaterThan(50);
    // Less than after which it would have written by itself.
    expect(performance.now() - begun).toBeLessThan(25_000);

    await mosquitto.kill();
    await sleep(200); // What it had sent is with the server.
    server.signal('SIGSTOP');
    await publisher.end();
    await mosquitto.start();
    const before = publisher.acknowledged.length;
    await publisher.connect(mosquitto.port);
    await expect.poll(() => publisher.acknowledged.length).toBeGreaterThan(before + 50);
    server.signal('SIGCONT');
    await publisher.end();
    await expect.poll(async () => (await server.readiness()).status).toBe(200);
    await untilQuiet(db);
    await expectAllStored(db, [publisher]);
  });
});
