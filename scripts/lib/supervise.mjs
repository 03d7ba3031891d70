import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { inRoot, root } from './paths.mjs';

const preload = pathToFileURL(inRoot('scripts/lib/end-with-parent.mjs')).href;

const RESTART_FIRST_MS = 1000;
const RESTART_MOST_MS = 30_000;
const STOP_WITHIN_MS = 5000;
/** A child that lived this long died of something new: the next restart is quick again. */
const STEADY_MS = 60_000;

/**
 * Starts a Node program that ends with us: it has a channel to this process and stops when that closes.
 * It stands in a process group of its own, so that Ctrl-C reaches only us and we stop things in order.
 */
export function startChild(file, args, { nodeFlags = [], onMessage = () => {} } = {}) {
  const child = spawn(process.execPath, [...nodeFlags, '--import', preload, file, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
  child.on('message', onMessage);
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      console.error(error.message);
      resolve({ code: 1, signal: null });
    });
  });
  return { exited, kill: (signal) => child.kill(signal) };
}

/** Keeps a program running: started again when it ends, ever more slowly while it keeps ending. */
export function keepRunning(name, start) {
  let child = null;
  let timer = null;
  let stopped = false;
  let delay = RESTART_FIRST_MS;
  const begin = async () => {
    const since = Date.now();
    child = start();
    const { code, signal } = await child.exited;
    child = null;
    if (stopped) return;
    if (Date.now() - since > STEADY_MS) delay = RESTART_FIRST_MS;
    console.error(`The ${name} ended (${signal ?? `code ${code}`}); starting it again in ${delay / 1000} s.`);
    timer = setTimeout(() => void begin(), delay);
    delay = Math.min(delay * 2, RESTART_MOST_MS);
  };
  void begin();
  return {
    kill: (signal) => child?.kill(signal),
    /** Ends it by force when it doesn't stop in time. */
    async stop(signal) {
      stopped = true;
      clearTimeout(timer);
      if (!child) return;
      const { exited, kill } = child;
      kill(signal);
      const force = setTimeout(() => kill('SIGKILL'), STOP_WITHIN_MS);
      await exited;
      clearTimeout(force);
    },
  };
}
