import { pino } from 'pino';
import type { ServerFrame } from '@headrace/contract/live';
import { connectDatabase } from '../../../db/client.ts';
import type { LiveEvent } from '../../../live/live-bus.ts';
import { createTestServer, type TestServer } from '../../../testing/test-server.ts';
import { createGatewayIo } from '../../gateway-io/gateway-io.ts';
import { createIngest, type Ingest } from '../../readings/ingest.ts';
import { type Commands, createCommands } from '../commands.ts';
import { settle } from '../settle.ts';
import { buildFarmDriver, type FarmDriver, type FarmDriverOptions, type Published } from './farm-driver.ts';

export interface CommandsKit {
  server: TestServer;
  clock: { now: Date };
  ingest: Ingest;
  /** Everything that the broker took, in order. */
  published: Published[];
  /** What the broker does with a message; takes it unless a test says otherwise. */
  broker: { take: (topic: string) => Promise<void> };
  events: LiveEvent[];
  accountFrames: { accountId: number; frame: ServerFrame }[];
  problems: unknown[];
  farm(options?: FarmDriverOptions): Promise<FarmDriver>;
  pass(minutes: number): void;
  /** A turn of the clock that looks after what waits. */
  tick(): Promise<void>;
  /** Another server on the same database, with connections of its own; its clock's turn is `tick`. */
  another(): Promise<Another>;
  close(): Promise<void>;
}

export interface Another {
  commands: Commands;
  tick(): Promise<void>;
  close(): Promise<void>;
}

/** The app without a broker, ingest beside it as devices.ts wires them, and hands for farms and gateways. */
export async function createCommandsKit(): Promise<CommandsKit> {
  const published: Published[] = [];
  const events: LiveEvent[] = [];
  const accountFrames: CommandsKit['accountFrames'] = [];
  const problems: unknown[] = [];
  const broker: CommandsKit['broker'] = { take: async () => {} };
  const publish = async (topic: string, payload: string) => {
    await broker.take(topic);
    published.push({ topic, body: JSON.parse(payload) as Record<string, unknown> });
  };
  let onDevicesChanged: (farmId: number) => void = () => {};
  const server = await createTestServer({
    log: pino({ level: 'warn' }, { write: (line) => void problems.push(JSON.parse(line)) }),
    publishDown: publish,
    onDevicesChanged: (farmId) => onDevicesChanged(farmId),
  });
  const { clock, database, live } = server;
  const tell = live.publish;
  live.publish = (news) => {
    events.push(...news);
    tell(news);
  };
  const tellAccount = live.toAccount;
  live.toAccount = (accountId, frame, except) => {
    accountFrames.push({ accountId, frame });
    tellAccount(accountId, frame, except);
  };
  const log = {
    warn: (details: object) => void problems.push(details),
    error: (details: object) => void problems.push(details),
  };
  const ingest = createIngest({
    pool: database.pool,
    now: () => clock.now,
    log,
    onCommitted: () => {},
    settle,
    onSettled: (settled) => server.commands.settled(settled),
    onHello: ({ farmId, deviceId: gatewayId }) => void server.gatewayBack({ farmId, gatewayId }),
    retentionDays: 730,
    flushMs: 5,
  });
  onDevicesChanged = (farmId) => ingest.forget(farmId);
  const commandClock = server.commands.startClock(3_600_000);

  async function another(): Promise<Another> {
    const connection = connectDatabase(database.url);
    const parts = {
      db: connection.db,
      pool: connection.pool,
      now: () => clock.now,
      log,
      publish,
    };
    const commands = createCommands({
      ...parts,
      live,
      relays: createGatewayIo({ ...parts, tell: live.publish }).service,
      beyondSupply: async () => [],
      onDevicesChanged: () => {},
    });
    const itsClock = commands.startClock(3_600_000);
    const close = async () => {
      await itsClock.stop();
      await connection.close();
    };
    return { commands, tick: () => itsClock.tick(), close };
  }

  const kit: CommandsKit = {
    server,
    clock,
    ingest,
    published,
    broker,
    events,
    accountFrames,
    problems,
    farm: (options) => buildFarmDriver(kit, options),
    pass: (minutes) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000)),
    tick: () => commandClock.tick(),
    another,
    async close() {
      await ingest.drain();
      await ingest.stop();
      await commandClock.stop();
      await server.close();
    },
  };
  return kit;
}
