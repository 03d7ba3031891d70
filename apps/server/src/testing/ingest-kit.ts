import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DeviceRow, FarmRow } from '../db/schema.ts';
import type { GreetingGateway, IngestOptions } from '../features/readings/ingest-options.ts';
import { createIngest, type Ingest } from '../features/readings/ingest.ts';
import type { StatusEvent } from '../features/readings/status-events.ts';
import type { DeviceMessage, Sender } from '../mqtt/transport.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from './factories.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface SentMessage {
  isAcknowledged: boolean;
}

export interface IngestKit {
  database: TestDatabase;
  ingest: Ingest;
  farm: FarmRow;
  gateway: DeviceRow;
  tank: DeviceRow;
  clock: { now: Date };
  events: StatusEvent[];
  hellos: GreetingGateway[];
  failures: unknown[];
  /** A message of the kit's gateway: `kind` is the topic below it, the body becomes JSON unless it is bytes. */
  send(kind: string, body: object | Buffer, changes?: Partial<DeviceMessage>): SentMessage;
  /** Sends and waits for the commit. */
  store(kind: string, body: object | Buffer, changes?: Partial<DeviceMessage>): Promise<SentMessage>;
  /** `up/sensor` with level readings of the kit's tank. */
  levels(...rows: [at: string, levelMm: number | null][]): Promise<SentMessage>;
  /** Resolves when all that was sent is stored and decoded. */
  decoded(): Promise<void>;
  sender(gateway?: DeviceRow): Sender;
  deadLetters(): Promise<{ reason: string; sender: string; farm_id: number | null; bytes: number }[]>;
  close(): Promise<void>;
}

/** Ingest with a farm, a gateway and a tank; a hand for a broker. `shared` is emptied first and stays open. */
export async function createIngestKit(
  options: Partial<IngestOptions> = {},
  shared?: TestDatabase,
  /** A farm that is there: another server behind the same database. */
  there?: FarmRow,
): Promise<IngestKit> {
  const database = shared ?? (await createTestDatabase());
  if (!there)
    await shared?.pool.query(
      'truncate account, dead_letter, dead_letter_message, kept_message, farm_usage, reading, reading_hour, reading_day cascade',
    );
  const farm = there ?? (await newFarm(database));
  const gateway = await buildGateway(database.db, farm.id);
  const tank = await buildTank(database.db, farm.id);
  const clock = { now: new Date('2026-11-20T21:00:00Z') };
  const events: StatusEvent[] = [];
  const hellos: GreetingGateway[] = [];
  const failures: unknown[] = [];
  const ingest = createIngest({
    pool: database.pool,
    now: () => clock.now,
    log: { warn: (details) => failures.push(details), error: (details) => failures.push(details) },
    onCommitted: (committed) => events.push(...committed),
    onHello: (hello) => hellos.push(hello),
    retentionDays: 730,
    flushMs: 5,
    ...options,
  });
  ingest.decode(true);
  const sender = (from = gateway): Sender => ({
    kind: 'gateway',
    farmId: from.farm_id,
    deviceId: from.id,
    mac: from.mac ?? '',
  });

  const kit: IngestKit = {
    database,
    ingest,
    farm,
    gateway,
    tank,
    clock,
    events,
    hellos,
    failures,
    sender,
    send(kind, body, changes) {
      const sent: SentMessage = { isAcknowledged: false };
      ingest.accept({
        topic: `headrace/v1/${gateway.mac}/${kind}`,
        payload: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
        sender: sender(),
        retained: false,
        receivedAt: clock.now,
        ack: () => (sent.isAcknowledged = true),
        ...changes,
      });
      return sent;
    },
    async store(kind, body, changes) {
      const sent = kit.send(kind, body, changes);
      await ingest.drain();
      return sent;
    },
    levels: (...rows) =>
      kit.store('up/sensor', {
        items: rows.map(([at, levelMm]) => ({ mac: tank.mac, at, values: { levelMm } })),
      }),
    async decoded() {
      await ingest.drain();
      await expect
        .poll(() => database.db.selectFrom('uplink_due').selectAll().execute(), {
          timeout: 60_000,
          interval: 10,
        })
        .toEqual([]);
      await ingest.drain();
    },
    deadLetters: () =>
      database.db
        .selectFrom('dead_letter')
        .select(['reason', 'sender', 'farm_id', 'bytes'])
        .orderBy('id')
        .execute(),
    async close() {
      await ingest.stop();
      if (!shared) await database.close();
    },
  };
  return kit;
}

async function newFarm({ db }: TestDatabase): Promise<FarmRow> {
  const owner = await buildAccount(db, { email: `owner-${randomUUID()}@example.com` });
  return buildFarm(db, owner.id);
}
