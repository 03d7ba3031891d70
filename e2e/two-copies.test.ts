import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  childrenOf,
  freePort,
  type Running,
  startProgram,
  temporaryFolder,
  until,
} from './support/processes.ts';

interface Copy {
  url: string;
  mqttPort: number;
  dataDir: string;
}

const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).toReversed()) await end();
});

async function settings(): Promise<Copy & { env: Record<string, string> }> {
  const folder = await temporaryFolder();
  toEnd.push(() => folder.remove());
  const [port, mqttPort] = [await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    MQTT_PORT: String(mqttPort),
    DATA_DIR: join(folder.path, 'data'),
    HOST: '127.0.0.1',
    DATABASE_URL: '',
    MQTT_URL: '',
    SIM_BACKFILL_DAYS: '1',
  };
  return { url: `http://127.0.0.1:${port}`, mqttPort, dataDir: env.DATA_DIR, env };
}

/** What `npm start` runs, until it has said where it is. */
async function start(env: Record<string, string>): Promise<Running> {
  const running = startProgram('scripts/start.mjs', [], env);
  toEnd.push(() => running.end());
  await until(
    `the greeting of port ${env.PORT}`,
    async () => {
      const ended = await Promise.race([running.exited, Promise.resolve(null)]);
      if (ended) throw new Error(`npm start ended with code ${ended.code}:\n${running.output()}`);
      return running.output().includes('Sign in with owner@headrace.test');
    },
    90_000,
  );
  return running;
}

const answers = (url: string) =>
  fetch(`${url}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('npm start', () => {
  it('runs two copies side by side and stops each cleanly on Ctrl-C', async () => {
    const [one, other] = [await settings(), await settings()];
    const [first, second] = await Promise.all([start(one.env), start(other.env)]);
    expect(first.output()).toContain(one.url);
    expect(await Promise.all([answers(one.url), answers(other.url)])).toEqual([true, true]);

    expect(await first.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(await Promise.all([answers(one.url), answers(other.url)])).toEqual([false, true]);

    expect(await second.end('SIGINT')).toEqual({ code: 0, signal: null });
    expect(await answers(other.url)).toBe(false);
  });

  it('starts again at once after kill -9 of everything', async () => {
    const copy = await settings();
    const running = await start(copy.env);
    const children = await until('server and simulator', async () => {
      const found = await childrenOf(running.pid);
      return found.length === 2 && found;
    });
    for (const { pid } of children) process.kill(pid, 'SIGKILL');
    await running.end('SIGKILL');

    const started = performance.now();
    await start(copy.env);
    expect(await answers(copy.url)).toBe(true);
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('leaves nothing running when it is killed itself', async () => {
    const copy = await settings();
    const running = await start(copy.env);
    const children = await until('server and simulator', async () => {
      const found = await childrenOf(running.pid);
      return found.length === 2 && found;
    });
    await running.end('SIGKILL');
    await until(
      'the end of server and simulator',
      async () => !children.some(({ pid }) => isAlive(pid)),
      15_000,
    );
    expect(await answers(copy.url)).toBe(false);
  });

  it('says which port is taken, and ends with a failure', async () => {
    const copy = await settings();
    await start(copy.env);
    const other = await settings();
    const second = startProgram('scripts/start.mjs', [], { ...other.env, PORT: copy.env.PORT ?? '' });
    toEnd.push(() => second.end());
    const { code } = await second.exited;
    expect(code).toBe(1);
    expect(second.output()).toMatch(/EADDRINUSE|in use|taken/);
  });
});
