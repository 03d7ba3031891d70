import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

export interface Running {
  readonly pid: number;
  /** Everything that has been read of what it printed: its last words may come after its end. */
  output(): string;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** A Node program of the repository with a channel to this one, as `npm start` runs it. Its output is kept for failures. */
export function startProgram(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onMessage: (message: unknown) => void = () => {},
): Running {
  const file = join(repository, path);
  if (!existsSync(file)) throw new Error(`${path} isn't there: build first with npm run build`);
  const child: ChildProcess = spawn(process.execPath, [file, ...args], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  child.on('message', onMessage);
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exited,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return exited;
    },
  };
}

/** A folder of this test's own; `remove` deletes it. */
export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'headrace-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Tries until it gives something, at most `timeoutMs`; then throws, saying what was waited for. */
export async function until<T>(
  what: string,
  attempt: () => Promise<T | null | undefined | false>,
  timeoutMs = 30_000,
): Promise<T> {
  for (const end = Date.now() + timeoutMs; ; ) {
    const result = await attempt();
    if (result) return result;
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs / 1000} s in vain for ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}

/** Processes started by a process, with their command lines (Linux). */
export async function childrenOf(pid: number): Promise<{ pid: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (candidate) => {
      const stat = await readFile(`/proc/${candidate}/stat`, 'utf8').catch(() => '');
      // The name in brackets may hold blanks; the parent is the second field after it.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      if (parent !== pid) return [];
      const command = await readFile(`/proc/${candidate}/cmdline`, 'utf8').catch(() => '');
      return [{ pid: candidate, command: command.replaceAll('\0', ' ').trim() }];
    }),
  );
  return found.flat();
}
