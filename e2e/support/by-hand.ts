import { join } from 'node:path';
import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { connectDatabase } from '../../apps/server/src/db/client.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/db/embedded/start-embedded-postgres.ts';
import { migrate } from '../../apps/server/src/db/migrate.ts';
import type { DeviceRow, FarmRow } from '../../apps/server/src/db/schema.ts';
import { hashPassword } from '../../apps/server/src/features/accounts/password.ts';
import { toZone } from '../../apps/server/src/features/farm-clock/farm-zone.ts';
import { createOutboxRepo } from '../../apps/server/src/features/outbox/outbox.repo.ts';
import { sendOutbox } from '../../apps/server/src/features/outbox/send-outbox.ts';
import { buildRule } from '../../apps/server/src/testing/alert-factories.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../../apps/server/src/testing/factories.ts';
import { recordReadings, type Report } from '../../apps/server/src/testing/record-readings.ts';
import { listenToDatabase } from '../../apps/server/src/live/database-news.ts';
import { createTestServer } from '../../apps/server/src/testing/test-server.ts';
import { temporaryFolder } from './processes.ts';

const MINUTE = 60_000;
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
const password = 'headrace by hand';

/** The built web app before a whole server whose time goes on only by hand: hours of holds and nights pass at once. */
export async function startByHand() {
  const folder = await temporaryFolder();
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log: quiet, settings });
  const client = connectDatabase(postgres.url);
  await migrate(client.db);
  const database = { ...client, url: postgres.url };
  const webFolder = join(import.meta.dirname, '../../apps/web/dist');
  const server = await createTestServer({ webFolder, requestsPerMinute: 100_000 }, { database });
  // It has been up for long: no device gets time for our own start.
  server.clock.now = new Date(Date.now() - 1440 * MINUTE);
  await server.runJob('alerts');
  server.clock.now = new Date();
  const url = await server.http.listen({ host: '127.0.0.1', port: 0 });
  // What open pages hear at once.
  const news = listenToDatabase(postgres.url, server.hub.listener, quiet, server.accessListener);
  await news.listening;
  const { db } = client;
  const email = 'mere@example.com';
  const owner = await buildAccount(db, { name: 'Mere', email, password_hash: await hashPassword(password) });
  const headers = () => server.signIn(owner);

  async function call(key: string, body: object): Promise<void> {
    const reply = await server.call(key, { headers: await headers(), body });
    if (reply.statusCode >= 400) throw new Error(`${key}: ${reply.statusCode} ${reply.body}`);
  }

  return {
    url,
    account: { email, password },
    call,
    /** Sets the clock. */
    at(now: number): void {
      server.clock.now = new Date(now);
    },
    /** So long passes, one after the other, and after each alerts are looked at. */
    async pass(...spans: number[]): Promise<void> {
      for (const span of spans) {
        server.clock.now = new Date(server.clock.now.getTime() + span);
        await server.runJob('alerts');
      }
    },
    /** What goes to the account's phones now, as their push services get it before it is encrypted. */
    async pushed(): Promise<string[]> {
      const taken: string[] = [];
      const sender = {
        way: 'push' as const,
        pace: { perMinute: 1000, perRecipientAndHour: 1000 },
        send: async ({ body }: { body: string }) => {
          taken.push(body);
          return {};
        },
      };
      const outbox = createOutboxRepo(db);
      await sendOutbox({ outbox, senders: [sender], now: () => server.clock.now, log: quiet });
      return taken;
    },
    async farm(name: string) {
      const row = await buildFarm(db, owner.id, { name });
      return farmByHand(row);
    },
    async stop(): Promise<void> {
      await news.stop();
      await server.close();
      await client.close();
      await postgres.stop();
      await folder.remove();
    },
  };

  function farmByHand(farm: FarmRow) {
    const say = (device: DeviceRow, reports: readonly Report[]) =>
      recordReadings(database, farm, device, reports);
    return {
      uid: farm.uid,
      /** Tomorrow at that time by the farm's clock, epoch ms: whatever the time of day, it is still to come. */
      clock: (hours: number) =>
        clockTime(toZone(farm), addDays(toZone(farm), dayStart(toZone(farm), Date.now()), 1), hours * 3600),
      watch: (rule: Parameters<typeof buildRule>[2]) => buildRule(db, farm.id, { hold_min: 0, ...rule }),
      /** As the broker tells of it. */
      async gateway(name: string) {
        const { id } = await buildGateway(db, farm.id);
        await db.updateTable('device').set({ name }).where('id', '=', id).execute();
        const state = (online: boolean) => {
          const { now } = server.clock;
          const values = { online, state_at: now, contact_at: now };
          return db
            .insertInto('gateway_state')
            .values({ farm_id: farm.id, device_id: id, ...values })
            .onConflict((conflict) => conflict.columns(['farm_id', 'device_id']).doUpdateSet(values))
            .execute();
        };
        await state(true);
        return { goes: () => state(false), comes: () => state(true) };
      },
      /** A tank whose level was the same until `from`, and then falls by so many % an hour. */
      async leakingTank(name: string, { from, percentAnHour }: { from: number; percentAnHour: number }) {
        const shape = { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 };
        const tank = await buildTank(db, farm.id, { name, settings: shape });
        const until = server.clock.now.getTime();
        const reports: Report[] = [];
        for (let at = from - 6 * 60 * MINUTE; at <= until; at += 15 * MINUTE) {
          const fallen = (Math.max(0, at - from) / (60 * MINUTE)) * percentAnHour * 10;
          reports.push({ at: new Date(at).toISOString(), values: { levelMm: Math.round(800 - fallen) } });
        }
        await say(tank, reports);
      },
    };
  }
}
export type Stand = Awaited<ReturnType<typeof startByHand>>;
