import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { findFreePort } from '@headrace/server/dist/db/embedded/free-port.js';
import { runningPostgresUrl } from '@headrace/server/dist/db/embedded/running-postgres.js';
import { signIn } from './calls.ts';
import { fillYear, SENSORS } from './charts.ts';
import { median } from './numbers.ts';
import { record } from './report.ts';
import { forkServer, readiness } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const KILLS = 10;
const TARGET_MS = 3000;
/** So that each time as much waits to be done again as ever can: more than the settings of our PostgreSQL let wait. */
const WRITES = 10;
/** Between two tries of a call, ms: what the figure may be too long by. */
const TRY_MS = 10;
/** A clock tick of Linux's process accounting, ms. */
const TICK_MS = 10;

interface Restart {
  /** From the start of the process to the first answer of a chart that is asked for all the while. */
  ms: number;
  /** Of it until the database had recovered. */
  databaseMs: number;
  /** What the server's own process had used of the processors by then. */
  cpuMs: number;
}

/** kill -9 of the server and its database, five million readings in it, in the middle of writing; how long until a chart comes. */
export async function benchRestart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-bench-restart-'));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: folder, PORT: String(port) };
  let server = forkServer(env);
  try {
    await readiness(server);
    const { farm, token } = await fill(folder, url);
    const path = `/v1/lvl/history?sensorUid=${farm.sensorUids[0]}&days=30`;
    const restarts: Restart[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await killWhileWriting(folder, server, farm);
      const start = performance.now();
      server = forkServer(env);
      const recovered = untilRecovered(folder).then(() => performance.now() - start);
      await answer(`${url}${path}`, token);
      const ms = performance.now() - start;
      restarts.push({ ms, databaseMs: await recovered, cpuMs: cpuOf(server) });
      await readiness(server);
    }
    tell(restarts);
  } finally {
    if (server.signalCode === null && server.exitCode === null) {
      const gone = once(server, 'exit');
      server.kill('SIGTERM');
      await gone;
    }
    await rm(folder, { recursive: true, force: true });
  }
}

function tell(restarts: readonly Restart[]): void {
  const times = restarts.map(({ ms }) => ms);
  record({
    what: `kill -9 of server and database to the first chart, ${KILLS} times`,
    value: `p50 ${median(times).toFixed(0)} most ${Math.max(...times).toFixed(0)} ms`,
    target: { text: `under ${TARGET_MS} ms each time`, met: Math.max(...times) < TARGET_MS },
  });
  const database = restarts.map(({ databaseMs }) => databaseMs);
  record({
    what: 'of it until the database had recovered',
    value: `p50 ${median(database).toFixed(0)} most ${Math.max(...database).toFixed(0)} ms`,
  });
  const cpu = restarts.map(({ cpuMs }) => cpuMs);
  record({
    what: "of it the server's own use of the processors",
    value: `p50 ${median(cpu)} most ${Math.max(...cpu)} ms`,
  });
}

async function fill(folder: string, url: string): Promise<{ farm: BenchGateway; token: string }> {
  const sql = await connect(folder);
  const [email, password] = ['restart@bench.test', 'bench-password'];
  const [farm] = await buildWorld(sql, {
    farms: 1,
    sensors: SENSORS,
    from: 80_000_000,
    ownerEmail: email,
    passwordHash: await hashPassword(password),
  });
  if (!farm) throw new Error('no farm');
  await fillYear({ sql }, farm);
  await sql.end();
  return { farm, token: await signIn({ url }, email, password) };
}

async function connect(folder: string): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: (await runningPostgresUrl(folder)) ?? '', max: 2 });
  // Its connections end with the database.
  pool.on('error', () => {});
  return pool;
}

/** The database has some seconds' work to do again when it comes back: all that was written since its last checkpoint. */
async function killWhileWriting(folder: string, server: ChildProcess, farm: BenchGateway): Promise<void> {
  const sql = await connect(folder);
  const write = `update reading_hour set n = n where farm_id = $1 and at > now() - interval '30 days'`;
  for (let round = 0; round < WRITES; round += 1) await sql.query(write, [farm.farmId]);
  const isCut = sql.query(write, [farm.farmId]).then(
    () => false,
    () => true,
  );
  const pid = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  // A backend outlives its postmaster and would write on.
  for (const one of [pid, ...childrenOf(pid)]) process.kill(one, 'SIGKILL');
  await gone;
  if (!(await isCut)) throw new Error('the database had written everything before it was killed');
  await sql.end();
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

async function untilRecovered(folder: string): Promise<void> {
  while (!(await runningPostgresUrl(folder))) await sleep(TRY_MS);
}

/** Asks as a page does that waits for its server. */
async function answer(url: string, token: string): Promise<void> {
  for (;;) {
    const reply = await fetch(url, { headers: { authorization: token } }).catch(() => null);
    const text = await reply?.text();
    if (reply?.status === 200 && text) return;
    await sleep(TRY_MS);
  }
}

/** User's and kernel's time of the process, all its threads, ms. */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
