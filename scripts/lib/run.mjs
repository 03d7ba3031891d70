import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

/**
 * Runs a program in the repository. `quiet` gathers its output instead of showing it.
 * Resolves with `{ code, output }`; a program that can't be started, or that outlives `timeoutMs`, has code 127 or 124.
 */
export function run(command, args, { env, quiet = false, timeoutMs, cwd = root } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      // A group of its own, so that a hung test runner goes together with its workers, servers and browsers.
      detached: timeoutMs !== undefined && process.platform !== 'win32',
    });
    let output = '';
    let late = false;
    const stop = (signal) => {
      if (child.pid === undefined) return;
      try {
        process.kill(timeoutMs === undefined ? child.pid : -child.pid, signal);
      } catch {
        // Already gone.
      }
    };
    const onSignal = (signal) => {
      stop(signal);
      process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
    };
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
    const timer =
      timeoutMs &&
      setTimeout(() => {
        late = true;
        output += `\nStopped: it ran longer than ${Math.round(timeoutMs / 1000)} s.\n`;
        stop('SIGKILL');
      }, timeoutMs);
    const end = (code) => {
      clearTimeout(timer);
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      resolve({ code: late ? 124 : code, output });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => (output += text));
    }
    child.once('error', (error) => {
      output += `${error.message}\n`;
      end(127);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

/** Runs a Node program of the repository or of an installed package. */
export const runNode = (file, args = [], options = {}) => run(process.execPath, [file, ...args], options);

/** Every job, at most `width` at a time; answers in the order of the jobs. */
export async function inTurns(jobs, width, work) {
  const waiting = [...jobs.entries()];
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
