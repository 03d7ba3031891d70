import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { wrap } from './launch.ts';
import { runProgram } from './run-program.ts';

const onLinux = process.platform === 'linux';

/** True for a process that runs, whoever owns it. A zombie, killed and not yet reaped, does not run. */
export async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return onLinux ? (await linuxStat(pid))?.state !== 'Z' : true;
}

/**
 * When the process started, to tell it from a later one with the same id. Only for comparing; undefined when it can't be
 * known, such as for another user's process on a hardened machine.
 */
export async function startedAt(pid: number): Promise<string | undefined> {
  if (!onLinux) return ps('lstart=', pid);
  const stat = await linuxStat(pid);
  if (!stat) return undefined;
  // Clock ticks count from boot: another boot's process may have the same.
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return `${boot.trim()}:${stat.ticks}`;
}

/** True when the process is a PostgreSQL on this cluster: its main process or, on Linux, one of its children. */
export async function isPostgresOf(pid: number, clusterDir: string): Promise<boolean> {
  if (!onLinux) return isPostmasterCommand((await ps('command=', pid)) ?? '', clusterDir);
  if ((await linuxStat(pid))?.name !== 'postgres') return false;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === clusterDir; // All of them work inside their cluster.
  } catch {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return isPostmasterCommand(args.replaceAll('\0', ' '), clusterDir);
  }
}

/** Every live PostgreSQL process of this cluster, as far as this system can say (Linux). */
export async function postgresProcessesOf(clusterDir: string): Promise<number[]> {
  if (!onLinux) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ours = await Promise.all(
    pids.map(async (pid) => (await isRunning(pid)) && (await isPostgresOf(pid, clusterDir))),
  );
  return pids.filter((_, index) => ours[index]);
}

/** We always start `postgres -D <cluster> …`. */
export function isPostmasterCommand(command: string, clusterDir: string): boolean {
  const at = command.indexOf(' -D ');
  const program = basename(command.slice(0, at).trim());
  return at > 0 && program === 'postgres' && `${command.slice(at + 4).trim()} `.startsWith(`${clusterDir} `);
}

interface LinuxStat {
  name: string;
  state: string;
  /** Start time in clock ticks since boot. */
  ticks: string;
}

async function linuxStat(pid: number): Promise<LinuxStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name is in parentheses and may hold any character; proc(5) counts the state as field 3, the start as 22.
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  const fields = rest?.split(' ');
  if (name === undefined || !fields?.[0] || !fields[19]) return undefined;
  return { name, state: fields[0], ticks: fields[19] };
}

async function ps(column: string, pid: number): Promise<string | undefined> {
  const { ok, stdout } = await runProgram(wrap([], 'ps'), ['-ww', '-o', column, '-p', String(pid)]);
  return ok && stdout.trim() !== '' ? stdout.trim() : undefined;
}
