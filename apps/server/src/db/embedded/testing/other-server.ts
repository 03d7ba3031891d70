import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll } from 'vitest';
import { cleanUpAfterwards } from './workspace.ts';

export interface OtherServer {
  child: ChildProcess;
  pid: number;
  /** Its database's. */
  url: string;
  postmaster: number;
  kill(): Promise<void>;
}

const HOLD = `
import { startEmbeddedPostgres } from './start-embedded-postgres.js';
const log = { info() {}, warn() {}, error() {} };
const say = (value) => console.log(JSON.stringify(value));
try {
  const database = await startEmbeddedPostgres({ dataDir: process.argv[2], log, settings: { fsync: 'off' } });
  say({ url: database.url, postmaster: database.pid });
  process.on('SIGTERM', () => database.stop().then(() => process.exit(0)));
  setInterval(() => {}, 1_000_000);
} catch (error) {
  say({ code: error.code, message: error.message });
}
`;

let compiled: string | undefined;

afterAll(() => {
  if (compiled) rmSync(compiled, { recursive: true, force: true });
  compiled = undefined;
});

/** Our code as plain JavaScript, the way it is shipped: another Node process can't read TypeScript. */
function compile(): string {
  if (compiled) return compiled;
  const folder = mkdtempSync(join(tmpdir(), 'headrace-db-js-'));
  chmodSync(folder, 0o755); // Another user runs it too.
  const packages = createRequire(import.meta.url);
  const tsc = join(dirname(packages.resolve('typescript/package.json')), 'bin', 'tsc');
  const source = dirname(import.meta.dirname);
  const output = join(folder, 'js');
  const flags =
    '--module nodenext --target es2023 --rewriteRelativeImportExtensions --noCheck --types node --ignoreConfig';
  const program = [tsc, join(source, 'start-embedded-postgres.ts'), '--rootDir', source, '--outDir', output];
  execFileSync(process.execPath, [...program, ...flags.split(' ')]);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(output, 'hold.js'), HOLD);
  symlinkSync(dirname(dirname(packages.resolve('pg/package.json'))), join(folder, 'node_modules'));
  compiled = folder;
  return folder;
}

export interface OtherServerOptions {
  uid?: number;
  path?: string;
}

/** Another Node process that starts on this folder and has not said anything yet. */
export function spawnOtherServer(dataDir: string, { uid, path }: OtherServerOptions = {}) {
  const child = spawn(process.execPath, [join(compile(), 'js', 'hold.js'), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: path ?? process.env['PATH'] },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  cleanUpAfterwards(() => child.kill('SIGKILL'));
  return child;
}

/** What another process says when it starts on this folder: its database, or why not. */
export async function tryOtherServer(dataDir: string, options?: OtherServerOptions) {
  const child = spawnOtherServer(dataDir, options);
  // Not at its exit, when what it said may not have been read yet.
  const ended = once(child, 'close').then(() => {
    throw new Error('The other server ended without a word');
  });
  ended.catch(() => {}); // It is also killed on purpose, later.
  const said = once(createInterface({ input: child.stdout }), 'line');
  const [line] = (await Promise.race([said, ended])) as [string];
  return { child, answer: JSON.parse(line) as Record<string, string | number> };
}

/** Another Node process that runs the database on this folder until it is killed. */
export async function startOtherServer(dataDir: string, options?: OtherServerOptions): Promise<OtherServer> {
  const { child, answer } = await tryOtherServer(dataDir, options);
  if (typeof answer['url'] !== 'string') throw new Error(String(answer['message']));
  const kill = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { child, pid: child.pid ?? 0, url: answer['url'], postmaster: Number(answer['postmaster']), kill };
}
