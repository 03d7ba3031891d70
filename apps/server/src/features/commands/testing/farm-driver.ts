import type { LightMyRequestResponse } from 'fastify';
import { commandTypes, type CommandName, type UnitState } from '@headrace/contract/command-types';
import type { Command, CommandStep, CommandUnit, GoBackPlan, Unstopped } from '@headrace/contract/commands';
import type { AckMessage } from '@headrace/device/messages';
import type { Db } from '../../../db/client.ts';
import type { AccountRow, DeviceRow, FarmRow } from '../../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway, setGatewayOnline } from '../../../testing/factories.ts';
import { buildSprinkler } from '../../../testing/irrigation-factories.ts';
import type { TestServer } from '../../../testing/test-server.ts';
import type { Ingest } from '../../readings/ingest.ts';
import { eventually } from './eventually.ts';

/** Where a farm is worked. */
export interface DriverKit {
  server: TestServer;
  clock: { now: Date };
  ingest: Ingest;
  published: Published[];
}

export interface Published {
  topic: string;
  body: Record<string, unknown>;
}

export interface Detail {
  command: Command;
  units: CommandUnit[];
  steps: CommandStep[];
  unitStates: Partial<Record<UnitState, number>>;
  perMinute: number | null;
  unstopped: Unstopped | null;
  goBack: GoBackPlan | null;
}

export interface FarmDriverOptions {
  units?: number;
  gateways?: number;
  /** How fast its units have answered, s; null: nothing is known yet. Quick enough for 100 at a time unless said. */
  secondsEach?: number | null;
}

export interface AckMore {
  mac?: string;
  error?: string;
  done?: number;
  total?: number;
  attempts?: number;
  at?: string;
  gateway?: DeviceRow;
}

export interface FarmDriver {
  owner: AccountRow;
  farm: FarmRow;
  headers: Record<string, string>;
  gateway: DeviceRow;
  gateways: DeviceRow[];
  /** In turn on the gateways; all on the first when there is one. */
  units: DeviceRow[];
  send(
    name: CommandName,
    request?: object,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** Sends to a unit (or with `request`), expects 200 and waits until it is marked as sent; its uid. */
  command(name: CommandName, request?: object): Promise<string>;
  /** Sends what can't go out yet, expects 200; its uid. */
  queue(name: CommandName, request?: object): Promise<string>;
  /** An `up/ack` of the gateway, committed. */
  answers(cmdId: string, state: AckMessage['state'], more?: AckMore): Promise<void>;
  /** Anything that a gateway says below `up/`, committed. */
  says(kind: string, body: object): Promise<void>;
  reportsValve(unit: DeviceRow, valve: 'open' | 'closed', at?: Date): Promise<void>;
  /** What it says that it holds. `cycleLen` in days. */
  reportsSchedule(unit: DeviceRow, holds: { ipcCrc: string; cycleLen?: number }, at?: Date): Promise<void>;
  hello(changes?: { listRev?: number; supports?: string[]; gateway?: DeviceRow }): Promise<void>;
  /** Messages to this farm's gateways. */
  messages(kind?: string): Published[];
  detail(commandId: string): Promise<Detail>;
  /** Waits until the command is in this state. */
  reaches(commandId: string, state: string): Promise<Detail>;
}

let boots = 0;

export async function buildFarmDriver(
  kit: DriverKit,
  { units: unitCount = 1, gateways: gatewayCount = 1, secondsEach = 1 }: FarmDriverOptions = {},
): Promise<FarmDriver> {
  const { server, clock, ingest } = kit;
  const { db } = server.database;
  const owner = await buildAccount(db, { name: 'Olive Owner' });
  const farm = await buildFarm(db, owner.id);
  const gateways: DeviceRow[] = [];
  for (let index = 0; index < gatewayCount; index += 1) {
    const made = await buildGateway(db, farm.id);
    await setGatewayOnline(db, made, clock.now);
    if (secondsEach !== null) await setPace(db, made, secondsEach, clock.now);
    gateways.push(made);
  }
  const gateway = first(gateways);
  const units: DeviceRow[] = [];
  for (let index = 0; index < unitCount; index += 1)
    units.push(
      await buildSprinkler(db, farm.id, {
        name: `U${String(index + 1).padStart(3, '0')}`,
        gateway: gateways[index % gatewayCount] ?? gateway,
      }),
    );
  const headers = await server.signIn(owner);

  async function say(kind: string, body: object, from = gateway): Promise<void> {
    ingest.accept({
      topic: `headrace/v1/${from.mac}/up/${kind}`,
      payload: Buffer.from(JSON.stringify(body)),
      sender: { kind: 'gateway', farmId: from.farm_id, deviceId: from.id, mac: from.mac ?? '' },
      retained: false,
      receivedAt: clock.now,
      ack: () => {},
    });
    await ingest.drain();
  }

  const report = (unit: DeviceRow, values: object, at = clock.now) =>
    say('ipc', { items: [{ mac: unit.mac, at: at.toISOString(), ...values }] });

  const driver: FarmDriver = {
    owner,
    farm,
    headers,
    gateway,
    gateways,
    units,
    send: (name, request = { mac: units[0]?.mac }, as = headers) =>
      server.call('POST /commands/send', {
        headers: as,
        body: { farmUID: farm.uid, type: commandTypes[name], ...request },
      }),
    async queue(name, request) {
      const reply = await driver.send(name, request);
      if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
      return reply.json<{ commandId: string }>().commandId;
    },
    async command(name, request) {
      const uid = await driver.queue(name, request);
      await eventually(async () => (await driver.detail(uid)).command.state !== 'queued');
      return uid;
    },
    answers: (cmdId, state, { gateway: from, ...more } = {}) =>
      say('ack', { cmdId, at: clock.now.toISOString(), state, ...more }, from),
    says: (kind, body) => say(kind, body),
    reportsValve: (unit, valve, at) => report(unit, { valve }, at),
    reportsSchedule: report,
    hello: ({ listRev, supports, gateway: from = gateway } = {}) =>
      say(
        'hello',
        {
          serialNumber: 'G1',
          type: from.type,
          bootId: `boot-${(boots += 1)}`,
          at: clock.now.toISOString(),
          ...(listRev !== undefined && { listRev }),
          ...(supports && { supports }),
        },
        from,
      ),
    messages: (kind) =>
      kit.published.filter(({ topic }) =>
        gateways.some(({ mac }) =>
          kind ? topic === `headrace/v1/${mac}/down/${kind}` : topic.startsWith(`headrace/v1/${mac}/`),
        ),
      ),
    async detail(commandId) {
      const query = { farmUID: farm.uid, commandId };
      const reply = await server.call('GET /command', { headers, query });
      if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`);
      return reply.json<Detail>();
    },
    reaches: (commandId, state) =>
      eventually(async () => {
        const found = await driver.detail(commandId);
        return found.command.state === state && found;
      }),
  };
  return driver;
}

/** As if thirty units had answered, so many seconds apart; the last of them left none waiting. */
async function setPace(db: Db, gateway: DeviceRow, secondsEach: number, now: Date): Promise<void> {
  const answers = Array.from({ length: 31 }, (_, index) => [
    now.getTime() - (30 - index) * secondsEach * 1000,
    30 - index,
  ]);
  await db
    .insertInto('gateway_pace')
    .values({ farm_id: gateway.farm_id, gateway_id: gateway.id, answers: JSON.stringify(answers) })
    .execute();
}

function first<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('a farm needs at least one gateway');
  return item;
}
