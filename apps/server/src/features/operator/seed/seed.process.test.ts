import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

/** What `npm run build` makes. */
const admin = new URL('../../../../dist/admin.js', import.meta.url).pathname;

/** A server that refuses samples of 09:15 and takes all others. */
async function choosyServer(): Promise<string> {
  const made = createServer((request, reply) => {
    const answer = async () => {
      const isRefused = ((await json(request)) as { time: string }).time === '09:15';
      const body = isRefused ? { errorMessage: 'date and time: too old.' } : { success: true };
      reply
        .writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    };
    void answer();
  }).listen(0, '127.0.0.1');
  await once(made, 'listening');
  onTestFinished(() => void made.close());
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
}

it('ends with 1 when samples were refused and with 0 when all are stored', async () => {
  if (!existsSync(admin)) throw new Error('The server is not built: run `npm run build` first.');
  const folder = await mkdtemp(join(tmpdir(), 'headrace-seed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const address = await choosyServer();
  const seed = async (rows: string) => {
    await writeFile(join(folder, 'samples.csv'), `date,time,swp1\n${rows}`);
    const env = { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), INIT_CWD: folder, PORT: '0' };
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [admin, 'seed-soil', 'f'.repeat(24), 'samples.csv', address],
        { env },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });
  };
  const stored = (count: number) =>
    `${count} samples of ${'f'.repeat(24)} are stored, those that were there already among them.\n`;
  expect(await seed('2026-11-20,09:00,25\n2026-11-20,09:15,25\n')).toEqual({
    code: 1,
    stdout: '',
    stderr: `1 samples were refused:\nLine 3: date and time: too old.\n${stored(1)}`,
  });
  expect(await seed('2026-11-20,09:00,25\n')).toEqual({ code: 0, stdout: stored(1), stderr: '' });
});
