import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import { connectDatabase, type DatabaseClient } from '../../db/client.ts';
import { runningPostgresUrl } from '../../db/embedded/running-postgres.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildDevice, buildFarm, buildGateway } from '../../testing/factories.ts';
import { openSession } from '../../testing/open-session.ts';
import { groupBy } from '../../group-by.ts';
import { StrictGateway } from './testing/strict-gateway.ts';

/** `KILLS=200 UNITS=300` is the long run, ten minutes on a quiet machine. */
const KILLS = Number(process.env['KILLS'] ?? 8);
/** Of a send of schedules. Once it is done, another set is sent: there is always one under way. */
const PLAN_UNITS = Number(process.env['UNITS'] ?? 930);
/** What `npm run build` makes. */
const main = new URL('../../../dist/main.js', import.meta.url).pathname;

let folder: string;
let database: DatabaseClient;
let server: ChildProcess;
let starts = 0;
let gateway: StrictGateway | undefined;
beforeAll(async () => {
  if (!existsSync(main)) throw new Error('The server is not built: run `npm run build` first.');
  folder = await mkdtemp(join(tmpdir(), 'headrace-commands-killed-'));
});
afterAll(async () => {
  await gateway?.end();
  await database?.close();
  if (server) await killServer();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

interface Listening {
  url: string;
  mqttPort: number;
}

async function startServer({ mqttPort, url }: Listening): Promise<Listening> {
  server = fork(main, [], {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PORT: url === '' ? '0' : new URL(url).port,
      MQTT_PORT: String(mqttPort),
      LOG_LEVEL: 'error',
    },
  });
  starts += 1;
  const exited = once(server, 'exit').then(([code]) => {
    throw new Error(`at start ${starts} the server ended with ${String(code)} before it listened`);
  });
  const [message] = (await Promise.race([once(server, 'message'), exited])) as [Listening];
  exited.catch(() => {});
  return message;
}

async function killServer(): Promise<void> {
  // One that ended by itself is waited for no more.
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

interface World {
  farm: FarmRow;
  units: DeviceRow[];
  /** Unlike each other for every sprinkler. */
  setUids: readonly string[];
  token: string;
}

/** A farm of sprinklers with two sets of schedules for all of them, and somebody signed in. */
async function buildWorld(): Promise<World & { gatewayRow: DeviceRow }> {
  const { db } = database;
  const owner = await buildAccount(db);
  const farm = await buildFarm(db, owner.id);
  const gatewayRow = await buildGateway(db, farm.id, 'key');
  const units: DeviceRow[] = [];
  for (let count = 0; count < PLAN_UNITS; count += 1)
    units.push(await buildDevice(db, farm.id, 'sprinkler', { settings: '{}' }));
  const setUids: string[] = [];
  for (const duration of [30, 20]) setUids.push(await buildSet(farm.id, units, duration));
  const token = await openSession(db, owner.id);
  return { farm, units, setUids, token, gatewayRow };
}

async function buildSet(farmId: number, units: readonly DeviceRow[], duration: number): Promise<string> {
  const { db } = database;
  const uid = newUid();
  const { id: setId } = await db
    .insertInto('schedule_set')
    .values({ farm_id: farmId, uid, name: `Season of ${duration}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('schedule_set_unit')
    .values(
      units.map(({ id }, index) => ({
        farm_id: farmId,
        set_id: setId,
        device_id: id,
        entries: JSON.stringify([{ start: index % 1440, duration, cycle: 1 }]),
      })),
    )
    .execute();
  return uid;
}

async function send(url: string, { farm, token }: World, command: object): Promise<string | null> {
  try {
    const reply = await fetch(`${url}/v1/commands/send`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ farmUID: farm.uid, ...command }),
    });
    return reply.ok ? ((await reply.json()) as { commandId: string }).commandId : null;
  } catch {
    return null; // Killed while it answered: the command may be there or not.
  }
}

/** Commands one after another until the server is gone; what it said it took is noted. */
async function keepSending(url: string, world: World, taken: string[], isOver: () => boolean): Promise<void> {
  for (let count = 0; !isOver(); count += 1) {
    const unit = world.units[(count * 37) % PLAN_UNITS];
    const type = count % 3 === 0 ? commandTypes.ValveOn : commandTypes.Poll;
    const command = count % 7 === 6 ? { type: commandTypes.IncStatusReq } : { type, mac: unit?.mac };
    const commandId = await send(url, world, command);
    if (commandId) taken.push(commandId);
    await sleep(15);
  }
}

it(
  `no command is lost, done twice, late or shown otherwise than it is through ${KILLS} kills`,
  async () => {
    let listening = await startServer({ url: '', mqttPort: 0 });
    database = connectDatabase((await runningPostgresUrl(folder)) ?? '');
    const { gatewayRow, ...world } = await buildWorld();
    await database.close();
    gateway = new StrictGateway({
      mac: gatewayRow.mac ?? '',
      password: 'key',
      serialNumber: gatewayRow.serial_number,
      unitMs: 8,
    });
    gateway.connect(listening.mqttPort);
    const taken: string[] = [];
    const plans = [await untilTaken(() => send(listening.url, world, planOf(world, 0)))];
    /** Kills while a send was under way. */
    let hits = 0;

    for (let kill = 0; kill < KILLS; kill += 1) {
      let isOver = false;
      const sending = keepSending(listening.url, world, taken, () => isOver);
      const before = taken.length;
      if (await isOverNow(listening.url, world, plans.at(-1) ?? ''))
        plans.push(await untilTaken(() => send(listening.url, world, planOf(world, plans.length))));
      while (taken.length === before) await sleep(5);
      if (!(await isOverNow(listening.url, world, plans.at(-1) ?? ''))) hits += 1;
      // By what was done and not by time alone: on a busy machine nothing of the send would ever go out between two kills.
      const [done, more] = [gateway.carriedOut.size, kill % 12];
      await sleep((kill * 53) % 290);
      for (let waited = 0; gateway.carriedOut.size < done + more && waited < 10_000; waited += 5)
        await sleep(5);
      await killServer();
      isOver = true;
      await sending;
      listening = await startServer(listening);
    }
    database = connectDatabase((await runningPostgresUrl(folder)) ?? '');
    await untilSettled();

    const rows = await allUnits();
    const uids = new Set(rows.map(({ uid }) => uid));
    expect([...taken, ...plans].filter((uid) => !uids.has(uid))).toEqual([]);
    expect(gateway.late).toEqual([]);
    expect([...gateway.carriedOut].filter(([, times]) => times !== 1)).toEqual([]);
    const wasPolled = new Set(
      rows
        .filter(
          ({ type, cmdId, mac }) => type === commandTypes.Poll && gateway?.carriedOut.has(`${cmdId} ${mac}`),
        )
        .map(({ mac }) => mac),
    );
    const untrue = rows.filter(({ state, cmdId, mac, type }) => {
      // A poll that waited ends with what another one of its unit got, and is never sent.
      if (type === commandTypes.Poll && cmdId === null && state === 'done') return !wasPolled.has(mac);
      const wasDone =
        type === commandTypes.IncStatusReq
          ? gateway?.answeredHere.has(cmdId ?? '')
          : gateway?.carriedOut.has(`${cmdId} ${mac}`);
      return (state === 'done') !== wasDone;
    });
    expect(untrue).toEqual([]);
    for (const plan of plans) {
      const planned = rows.filter(({ uid }) => uid === plan);
      expect(planned).toHaveLength(PLAN_UNITS);
      expect(new Set(planned.map(({ state }) => state))).toEqual(new Set(['done']));
    }
    // Each unit in one window of each plan, however often it was resumed: a second one would mean that it was told twice.
    const bySet = [...gateway.carriedOut.keys()].filter((key) => key.startsWith('set-'));
    const byUnit = groupBy(bySet, (key) => key.split(' ')[1] ?? null);
    expect(byUnit).toHaveLength(PLAN_UNITS);
    expect(byUnit.filter((keys) => keys.length !== plans.length)).toEqual([]);
    // Most of them hit a send that was under way, or this shows nothing.
    expect(hits).toBeGreaterThan(KILLS / 2);
  },
  200_000 + KILLS * 10_000,
);

const planOf = ({ setUids }: World, count: number) => ({
  type: commandTypes.SendScheduleSet,
  payload: { setUID: setUids[count % setUids.length] },
});

/** False also where the server can't say. */
async function isOverNow(url: string, { farm, token }: World, commandId: string): Promise<boolean> {
  const query = new URLSearchParams({ farmUID: farm.uid, commandId, limit: '1' });
  const reply = await fetch(`${url}/v1/command?${query.toString()}`, { headers: { authorization: token } });
  if (!reply.ok) return false;
  const { command } = (await reply.json()) as { command: { state: string } };
  return ['done', 'failed', 'expired', 'cancelled'].includes(command.state);
}

/** The gateway has to have said hello before it is there. */
async function untilTaken(attempt: () => Promise<string | null>): Promise<string> {
  for (;;) {
    const taken = await attempt();
    if (taken) return taken;
    await sleep(50);
  }
}

async function untilSettled(): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 200) {
    const { rows } = await database.pool.query(
      `select 1 from command_unit where state in ('queued', 'sent', 'accepted') limit 1`,
    );
    if (rows.length === 0) return;
    await sleep(200);
  }
  throw new Error('Units still wait after two minutes');
}

async function allUnits() {
  return database.db
    .selectFrom('command_unit as u')
    .innerJoin('command as c', (join) =>
      join.onRef('c.farm_id', '=', 'u.farm_id').onRef('c.id', '=', 'u.command_id'),
    )
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'u.farm_id').onRef('d.id', '=', 'u.device_id'),
    )
    .select(['c.uid', 'c.type', 'u.state', 'u.cmd_id as cmdId', 'd.mac'])
    .execute();
}
