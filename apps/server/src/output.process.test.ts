import { type ChildProcess, fork, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

/** What `npm run build` makes. */
const main = new URL('../dist/main.js', import.meta.url).pathname;
/** Takes no byte: "No space left on device". */
const FULL = '/dev/full';

/** A server that logs every call it refuses, until the test is over. */
async function start(output: StdioOptions): Promise<{ child: ChildProcess; url: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-output-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const child = fork(main, [], {
    execArgv: [],
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'trace' },
    stdio: output,
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ended with ${String(code)} before it listened`);
  });
  const [{ url }] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string }];
  exited.catch(() => undefined);
  return { child, url };
}

/** Two of its jobs say something by then. */
async function expectAlive({ child, url }: Awaited<ReturnType<typeof start>>) {
  for (let count = 0; count < 5; count += 1) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/v1/settings`)).status).toBe(401);
  }
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
}

describe('the server goes on', () => {
  it.skipIf(!existsSync(FULL))('where its output goes to a disk that is full', async () => {
    const full = openSync(FULL, 'w');
    onTestFinished(() => closeSync(full));
    await expectAlive(await start(['ignore', full, full, 'ipc']));
  });

  it('where nobody reads its output any more', async () => {
    const server = await start(['ignore', 'pipe', 'pipe', 'ipc']);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    await expectAlive(server);
    // A stop is logged too, and goes its way.
    server.child.kill('SIGTERM');
    expect(await once(server.child, 'exit')).toEqual([0, null]);
  });
});
