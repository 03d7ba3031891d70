import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayTopic } from '@headrace/device/topics';
import { connect } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type DatabaseClient } from '../../db/client.ts';
import { migrate } from '../../db/migrate.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { KillableServer } from '../../testing/killable-server.ts';
import { noonNow } from '../../testing/noon-now.ts';
import { startTestPostgres, type TestPostgres } from '../../testing/test-postgres.ts';
import { readMail, startMailServer } from '../outbox/testing/mail-server.ts';

/** `KILLS=1000` is the long run, some two hours. */
const KILLS = Number(process.env['KILLS'] ?? 3);
/** More alerts of one farm within ten minutes would be told as one, and more mails to one person in an hour wait. */
const FARMS = Math.max(3, Math.ceil(KILLS / 6));
/** Where in its work the server is killed, and then some random milliseconds later. The usual run has the first three. */
const points = ['acknowledged', 'told', 'mailed', 'published', 'anywhere'] as const;
const UP_TO_MS = { published: 40, acknowledged: 400, told: 40, mailed: 4, anywhere: 4000 } as const;
const settings = { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 };

let folder: string;
let postgres: TestPostgres;
let database: DatabaseClient;
let server: KillableServer;
let mails: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-alerts-killed-'));
  postgres = await startTestPostgres(folder);
  database = connectDatabase(postgres.url);
  await migrate(database.db);
  mails = await startMailServer();
  server = new KillableServer({
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: 'Headrace <water@example.com>',
    MAIL_PER_MINUTE: '6000',
  });
});
afterAll(async () => {
  await server?.kill();
  await mails?.stop();
  await database?.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

interface Farm {
  readonly id: number;
  readonly gateway: DeviceRow;
}

async function buildFarms(): Promise<Farm[]> {
  const farms: Farm[] = [];
  for (let nth = 0; nth < FARMS; nth += 1) {
    const owner = await buildAccount(database.db);
    await database.db
      .updateTable('account')
      .set({ send_email: true, email_confirmed_at: new Date() })
      .where('id', '=', owner.id)
      .execute();
    // In the morning a digest would come too.
    const { id } = await buildFarm(database.db, owner.id, noonNow());
    await buildRule(database.db, id, { hold_min: 0 });
    farms.push({ id, gateway: await buildGateway(database.db, id, 'key') });
  }
  return farms;
}

/** Says that a tank is low until the server has acknowledged it, across its deaths. */
class LowTank {
  isAcknowledged = false;
  readonly #at = new Date().toISOString();
  constructor(
    readonly gateway: DeviceRow,
    readonly tank: DeviceRow,
  ) {}

  async say(port: number): Promise<() => Promise<void>> {
    const username = this.gateway.mac ?? '';
    const client = connect({ host: '127.0.0.1', port, username, password: 'key', reconnectPeriod: 0 });
    client.on('error', () => undefined);
    await new Promise((done) => client.once('connect', done));
    const items = [{ mac: this.tank.mac, at: this.#at, values: { levelMm: 100 } }];
    client.publish(gatewayTopic(username, 'sensor'), JSON.stringify({ items }), { qos: 1 }, (error) => {
      if (!error) this.isAcknowledged = true;
    });
    return () => client.endAsync(true);
  }
}

const incidentsOf = async (farmId: number) =>
  (await database.db.selectFrom('alert_incident').select('id').where('farm_id', '=', farmId).execute())
    .length;
const outboxRows = () =>
  database.db
    .selectFrom('outbox')
    .select(['id', 'account_id', 'state', 'provider_id', 'dedupe_key'])
    .where('way', '=', 'mail')
    .where('dedupe_key', 'like', 'alert %')
    .execute();

/** False: it didn't come within so long. */
async function until(isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(5))
    if (await isSo()) return true;
  return false;
}

it(
  `each alert is one row in the outbox through ${KILLS} kills, and its mail comes at least once, always as the same`,
  async () => {
    const farms = await buildFarms();
    await server.start();
    const said: LowTank[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const farm = farms[kill % FARMS] as Farm;
      const point = points[kill % points.length] as (typeof points)[number];
      const low = new LowTank(farm.gateway, await buildTank(database.db, farm.id, { settings }));
      said.push(low);
      const [told, mailed] = [await incidentsOf(farm.id), mails.taken.length];
      const end = await low.say(server.mqttPort);
      if (point !== 'published' && point !== 'anywhere') await until(() => low.isAcknowledged, 20_000);
      if (point === 'told') await until(async () => (await incidentsOf(farm.id)) > told, 20_000);
      if (point === 'mailed') await until(() => mails.taken.length > mailed, 20_000);
      await sleep(Math.random() * UP_TO_MS[point]);
      await server.kill();
      await end();
      await server.start();
      for (const one of said.filter(({ isAcknowledged }) => !isAcknowledged)) {
        const stop = await one.say(server.mqttPort);
        await until(() => one.isAcknowledged, 20_000);
        await stop();
      }
    }
    expect(said.filter(({ isAcknowledged }) => !isAcknowledged)).toEqual([]);
    await until(async () => (await outboxRows()).length >= KILLS, 90_000);
    // A try that died is made again after a minute: that minute is over.
    await database.db
      .updateTable('outbox')
      .set({ next_try_at: new Date() })
      .where('state', '=', 'queued')
      .execute();
    await until(async () => (await outboxRows()).every(({ state }) => state === 'sent'), 30_000);

    const rows = await outboxRows();
    expect(rows).toHaveLength(KILLS);
    expect(new Set(rows.map(({ dedupe_key }) => dedupe_key)).size).toBe(KILLS);
    const episodes = await database.db
      .selectFrom('alert_episode')
      .select(['device_id', 'incident_id'])
      .execute();
    expect(new Set(episodes.map(({ device_id }) => device_id)).size).toBe(KILLS);
    expect(new Set(episodes.map(({ incident_id }) => incident_id)).size).toBe(KILLS);
    expect(episodes).toHaveLength(KILLS);
    const ids = await Promise.all(mails.taken.map(async (mail) => (await readMail(mail)).messageId));
    expect(new Set(ids)).toEqual(new Set(rows.map(({ provider_id }) => provider_id)));
  },
  180_000 + KILLS * 15_000,
);
