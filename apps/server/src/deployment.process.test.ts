import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, constants, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasSystemPostgres, startSystemPostgres } from './testing/test-postgres.ts';

/** What a container engine allows by default before it kills, ms. */
const ENGINE_PATIENCE_MS = 10_000;
/** `nobody` of Debian: no root, no home, and a name. */
const UNPRIVILEGED = 65_534;

const repository = new URL('../../../', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;
const run = promisify(execFile);
const deployed = (name: string) => readFileSync(join(repository, 'deploy', name), 'utf8');
/** Instructions of the container file by name, continued lines joined. */
const instructions = (name: string) =>
  [...deployed('Containerfile').matchAll(/^([A-Z]+) (.+)$/gm)]
    .filter((found) => found[1] === name)
    .map((found) => found[2]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-deploy-'));
  await chmod(folder, 0o755);
  await run(process.execPath, [join(repository, 'scripts/release.mjs'), join(folder, 'app')]);
  await run('chmod', ['-R', 'a-w', join(folder, 'app')]);
});
afterAll(async () => {
  await run('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

describe('the steps of the container file', () => {
  it('are the release that is tried here, and the folder of the data', () => {
    expect(instructions('RUN')).toEqual([
      'node scripts/release.mjs /app',
      'install -d -o node -g node -m 0700 /data',
    ]);
    expect(instructions('USER')).toEqual(['node']);
    expect(instructions('ENV')).toEqual(['NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data']);
    expect(instructions('EXPOSE')).toEqual(['3000 1883']);
  });

  it('name programs that are in the release', () => {
    const text = [...instructions('CMD'), ...instructions('HEALTHCHECK')].join(' ');
    const files = [...text.matchAll(/"\/app\/([^"]+)"/g)].map((found) => found[1] ?? '');
    expect(files).toEqual(['apps/server/dist/main.js', 'deploy/health.mjs']);
    for (const file of files) expect(existsSync(join(folder, 'app', file)), file).toBe(true);
  });

  it('say in a software bill of materials what else runs there', async () => {
    const bom = JSON.parse(await readFile(join(folder, 'app/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string; type: string } };
      components: { name: string; version: string; purl: string }[];
    };
    expect([bom.bomFormat, bom.metadata.component]).toMatchObject([
      'CycloneDX',
      { name: 'headrace', type: 'application' },
    ]);
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'aedes']));
    expect(names).not.toContain('vitest');
    const { version } = JSON.parse(
      await readFile(join(folder, 'app/node_modules/fastify/package.json'), 'utf8'),
    ) as { version: string };
    expect(bom.components.find(({ name }) => name === 'fastify')?.purl).toBe(`pkg:npm/fastify@${version}`);
  });

  it('hold nothing of version control, and no file of settings', async () => {
    const files = await readdir(join(folder, 'app'), { recursive: true });
    const own = files.filter((path) => !path.startsWith('node_modules'));
    expect(own.length).toBeGreaterThan(100);
    expect(own.filter((path) => /(^|\/)\.(git|env)/.test(path))).toEqual([]);
  });

  it("bring the server's libraries, and none for building, testing or the web app's bundle", async () => {
    const there = await readdir(join(folder, 'app/node_modules'));
    expect(there).toEqual(expect.arrayContaining(['fastify', 'pg', 'kysely']));
    for (const name of ['typescript', 'vite', 'vitest', 'react', 'echarts', 'knip']) {
      expect(there).not.toContain(name);
    }
    const own = await readdir(join(folder, 'app/apps/server/dist'));
    expect(own).toContain('main.js');
    for (const name of ['attack', 'testing']) expect(own).not.toContain(name);
    const files = await readdir(join(folder, 'app'), { recursive: true });
    const tests = files.filter((path) => !path.includes('node_modules') && /\.test\.[jt]s/.test(path));
    expect(tests).toEqual([]);
  });
});

describe('a release that nobody may write to, run by an unprivileged user', () => {
  it('serves, says that it is ready, and stops on SIGTERM while an engine still waits', async () => {
    const { server, url, port } = await startServer('data');
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true }]);
    const page = await fetch(url);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('<title>Headrace');
    expect(await health(port)).toBe(0);

    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    expect(await Promise.race([exited, sleep(ENGINE_PATIENCE_MS, 'still running', { ref: false })])).toEqual([
      0,
      null,
    ]);
    expect(existsSync(join(folder, 'data/postgres/postmaster.pid'))).toBe(false);
    expect(await health(port)).toBe(1);
  });

  it('carries the operator out: backup and restore', async () => {
    await makeDataFolder('first');
    await makeDataFolder('second');
    const file = join(folder, 'first', 'backup.tar.gz');
    await admin('first', 'create-account', 'owner@example.com', 'a good password', 'Ana');
    await admin('first', 'backup', file);
    expect(await admin('second', 'restore', file)).toMatch(/account +1$/m);
    expect(await admin('second', 'list-accounts')).toContain('owner@example.com');
  });
});

const user = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
const environment = (data: string) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  DATA_DIR: join(folder, data),
  PORT: '0',
  MQTT_PORT: '0',
  LOG_LEVEL: 'error',
});

async function makeDataFolder(name: string): Promise<void> {
  await mkdir(join(folder, name), { mode: 0o700 });
  if (isRoot) chownSync(join(folder, name), UNPRIVILEGED, UNPRIVILEGED);
}

async function startServer(data: string): Promise<{ server: ChildProcess; url: string; port: string }> {
  await makeDataFolder(data);
  const main = join(folder, 'app/apps/server/dist/main.js');
  const server = fork(main, [], { ...user, cwd: join(folder, 'app'), execArgv: [], env: environment(data) });
  const exited = once(server, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${String(code)} before it served`);
  });
  const [message] = (await Promise.race([once(server, 'message'), exited])) as [{ url: string }];
  exited.catch(() => {});
  return { server, url: message.url, port: new URL(message.url).port };
}

async function admin(data: string, ...args: string[]): Promise<string> {
  const program = join(folder, 'app/apps/server/dist/admin.js');
  const options = { ...user, cwd: join(folder, 'app'), env: environment(data) };
  return (await run(process.execPath, [program, ...args], options)).stdout;
}

async function health(port: string): Promise<number> {
  const child = fork(join(folder, 'app/deploy/health.mjs'), {
    ...user,
    execArgv: [],
    env: { HOST: '0.0.0.0', PORT: port },
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

/** Runs one of deploy/database's files as PostgreSQL's image does, in this database of the superuser's. */
async function runSql(url: string, name: string): Promise<void> {
  const args = [url, '--no-psqlrc', '-v', 'ON_ERROR_STOP=1', '-f', join(repository, 'deploy/database', name)];
  await run('psql', args, { env: { PATH: process.env.PATH, HEADRACE_PASSWORD: "it's secret" } });
}
const inDatabase = (url: string, user: string, name: string) =>
  Object.assign(new URL(url), { username: user, pathname: `/${name}` }).href;

async function query<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

describe.runIf(hasSystemPostgres)("Compose's database", () => {
  const rolesOf = (url: string) =>
    query(
      url,
      `select rolname, rolsuper, rolcreatedb, rolpassword like 'SCRAM-SHA-256$%' as has_password
       from pg_authid where rolcanlogin order by rolname`,
    );
  const roles = [
    { rolname: 'headrace', rolsuper: false, rolcreatedb: true, has_password: true },
    { rolname: 'postgres', rolsuper: true, rolcreatedb: true, has_password: null },
  ];
  const adminOf = async (url: string, ...args: string[]) => {
    const program = join(folder, 'app/apps/server/dist/admin.js');
    const env = { ...environment('first'), DATABASE_URL: url };
    return (await run(process.execPath, [program, ...args], { cwd: join(folder, 'app'), env })).stdout;
  };

  it('is made with a user for the server who is no superuser', async () => {
    const postgres = await startSystemPostgres(await mkdtemp(join(tmpdir(), 'headrace-roles-')), 'postgres');
    onTestFinished(() => postgres.stop());
    await query(postgres.url, "alter role postgres password 'as the image sets it'");
    await runSql(postgres.url, 'roles.sql');
    expect(await rolesOf(postgres.url)).toEqual(roles);
    const url = inDatabase(postgres.url, 'headrace', 'headrace');
    expect(await adminOf(url, 'create-account', 'owner@example.com', 'a good password', 'Ana')).toContain(
      'made',
    );
  });

  it('of an earlier release, whose superuser was the server, gets the same with all that is in it', async () => {
    const own = await mkdtemp(join(tmpdir(), 'headrace-roles-'));
    const postgres = await startSystemPostgres(own);
    onTestFinished(() => postgres.stop());
    await query(postgres.url, 'create database headrace');
    const url = inDatabase(postgres.url, 'headrace', 'headrace');
    await adminOf(url, 'create-account', 'owner@example.com', 'a good password', 'Ana');
    await runSql(url, 'end-superuser.sql');
    const superuser = inDatabase(postgres.url, 'postgres', 'headrace');
    expect(await rolesOf(superuser)).toEqual(roles);
    const others = `select oid::regclass::text as name from pg_class where oid >= 16384 and relowner <> 'headrace'::regrole and relnamespace::regnamespace::text !~ '^pg_'
      union all select proname from pg_proc where oid >= 16384 and proowner <> 'headrace'::regrole
      union all select typname from pg_type where oid >= 16384 and typowner <> 'headrace'::regrole and typnamespace::regnamespace::text !~ '^pg_'`;
    expect(await query(superuser, others)).toEqual([]);
    expect(await adminOf(url, 'list-accounts')).toContain('owner@example.com');
    // It may make, alter and drop what it needs, and make a database for a trial restore.
    await adminOf(url, 'backup', join(own, 'backup.tar.gz'));
    expect(await adminOf(url, 'drill-backup', join(own, 'backup.tar.gz'))).toContain('restored');
  });
});

describe('the systemd units', () => {
  const units = [
    'headrace.service',
    'headrace-backup.service',
    'headrace-backup.timer',
    'headrace-drill.service',
    'headrace-drill.timer',
  ];
  const settings = (unit: string) =>
    new Map([...deployed(unit).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

  it('let the server stop its database itself, and give it the time', () => {
    const service = settings('headrace.service');
    expect(service.get('KillMode')).toBe('mixed');
    expect(Number(service.get('TimeoutStopSec'))).toBeGreaterThan(25);
    expect(service.get('Restart')).toBe('always');
    expect(service.get('User')).toBe('headrace');
    expect(service.get('ProtectSystem')).toBe('strict');
  });

  it.each(['backup', 'drill'])('confine the %s as they confine the server', (name) => {
    const [server, backup] = [settings('headrace.service'), settings(`headrace-${name}.service`)];
    for (const [name, value] of server) {
      if (/^(Protect|Private|Restrict|System|NoNew|Cap|Lock|UMask|User|Env)/.test(name ?? '')) {
        expect([name, backup.get(name)]).toEqual([name, value]);
      }
    }
  });

  it('start programs that are in the release', () => {
    for (const unit of units.filter((name) => name.endsWith('.service'))) {
      const [, file = ''] =
        /\/opt\/headrace\/current\/(\S+\.js)/.exec(settings(unit).get('ExecStart') ?? '') ?? [];
      expect(existsSync(join(folder, 'app', file)), file).toBe(true);
    }
  });

  it('give the server the room for young objects that npm start and the bench give it', async () => {
    const flags = ['scripts/lib/server-flags.mjs', 'deploy/Containerfile', 'bench/src/stand.ts'].map((path) =>
      readFileSync(join(repository, path), 'utf8').match(/--max-semi-space-size=\d+/g),
    );
    const [, flag] = /node (--\S+) /.exec(settings('headrace.service').get('ExecStart') ?? '') ?? [];
    expect(flags).toEqual([[flag], [flag], [flag]]);
  });

  it.runIf(isThere('/usr/bin/systemd-analyze'))('have no fault that systemd finds', async () => {
    const copies = join(folder, 'units');
    await mkdir(copies);
    for (const unit of units) {
      await writeFile(join(copies, unit), deployed(unit).replaceAll('/usr/bin/node', process.execPath));
    }
    const { stdout, stderr } = await run('/usr/bin/systemd-analyze', ['verify', '--man=no', ...units], {
      cwd: copies,
    });
    expect(stdout + stderr).toBe('');
  });

  it('come with settings that the server reads', async () => {
    const described = await readFile(join(repository, 'docs/configuration.md'), 'utf8');
    const names = [...deployed('headrace.env').matchAll(/^#? ?([A-Z_]+)=/gm)].map((found) => found[1]);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names.filter((name) => name !== 'NAME')) expect(described).toContain(`\`${name}\``);
  });
});

function isThere(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
