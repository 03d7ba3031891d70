import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRunning } from '../apps/server/src/db/embedded/process-state.ts';
import { childrenOf, type Running, startProgram, temporaryFolder, until } from './support/processes.ts';

const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).toReversed()) await end();
});

/** Of a copy with data and ports of its own. */
async function settings(): Promise<Record<string, string>> {
  const folder = await temporaryFolder();
  toEnd.push(() => folder.remove());
  return {
    PORT: '0',
    MQTT_PORT: '0',
    DATA_DIR: join(folder.path, 'data'),
    HOST: '127.0.0.1',
    DATABASE_URL: '',
    MQTT_URL: '',
    SIM_BACKFILL_DAYS: '1',
  };
}

/** What `npm start` runs, until it has said where it is. */
async function start(env: Record<string, string>): Promise<{ running: Running; url: string }> {
  const running = startProgram('scripts/start.mjs', [], env);
  toEnd.push(() => running.end());
  await until(
    'the greeting',
    async () => {
      const ended = await Promise.race([running.exited, Promise.resolve(null)]);
      if (ended) throw new Error(`npm start ended with code ${ended.code}:\n${running.output()}`);
      return running.output().includes('Sign in with owner@headrace.test');
    },
    90_000,
  );
  const [, url = ''] = /Headrace is at (\S+)/.exec(running.output()) ?? [];
  return { running, url };
}

const answers = (url: string) =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );

/** The server and the simulator that it has started. */
const childrenOfStart = (running: Running) =>
  until('server and simulator', async () => {
    const found = await childrenOf(running.pid);
    return found.length === 2 && found;
  });

describe('npm start', () => {
  it('runs two copies side by side and stops each cleanly on Ctrl-C', async () => {
    const [one, other] = [await settings(), await settings()];
    const [first, second] = await Promise.all([start(one), start(other)]);
    expect(await Promise.all([answers(first.url), answers(second.url)])).toEqual([true, true]);

    expect(await first.running.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(await Promise.all([answers(first.url), answers(second.url)])).toEqual([false, true]);

    expect(await second.running.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(await answers(second.url)).toBe(false);
  });

  it('starts again at once after kill -9 of everything', async () => {
    const copy = await settings();
    const began = performance.now();
    const { running, url } = await start(copy);
    const firstMs = performance.now() - began;
    const children = await childrenOfStart(running);
    for (const { pid } of children) process.kill(pid, 'SIGKILL');
    await running.end('SIGKILL');

    const beganAgain = performance.now();
    await start({ ...copy, PORT: new URL(url).port });
    expect(await answers(url)).toBe(true);
    // Waiting for nothing that was left, however slow the machine: the first start made the database as well.
    expect(performance.now() - beganAgain).toBeLessThan(Math.max(15_000, 2 * firstMs));
  });

  it('leaves nothing running when it is killed itself', async () => {
    const copy = await settings();
    const { running, url } = await start(copy);
    const children = await childrenOfStart(running);
    await running.end('SIGKILL');
    await until('the end of server and simulator', async () => {
      // Whoever takes over what we left may never ask how it ended: that is no process that runs.
      const areRunning = await Promise.all(children.map(({ pid }) => isRunning(pid)));
      return !areRunning.includes(true);
    });
    expect(await answers(url)).toBe(false);
  });

  it('says which port is taken, and ends with a failure', async () => {
    const { url } = await start(await settings());
    const second = startProgram('scripts/start.mjs', [], { ...(await settings()), PORT: new URL(url).port });
    toEnd.push(() => second.end());
    const { code } = await second.exited;
    expect(code).toBe(1);
    await expect.poll(() => second.output()).toMatch(/EADDRINUSE|in use|taken/);
  });
});
