import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from './testing/free-port.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const PATIENCE_MS = 120_000;

/** As the lock file has it. */
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version: string }>;
};
const fastify = packages['node_modules/fastify']?.version ?? '';

/** A version that no advisory is about. */
const MENDED = '999.0.0';

/** A registry on this machine, with these advisories and with two versions of whatever is asked for. */
async function startRegistry(advisories: object): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, reply) => {
    const name = (request.url ?? '').slice(1);
    asked.push(`${request.method} /${name}`);
    request.resume();
    const versions = { [fastify]: { name, version: fastify }, [MENDED]: { name, version: MENDED } };
    const known = { name, 'dist-tags': { latest: MENDED }, versions };
    reply.setHeader('content-type', 'application/json');
    reply.end(JSON.stringify(name.includes('advisories/bulk') ? advisories : known));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked };
}

async function check(registry: string): Promise<{ code: number; said: string }> {
  const cache = await mkdtemp(join(tmpdir(), 'headrace-advisories-'));
  onTestFinished(() => rm(cache, { recursive: true, force: true }));
  const env = {
    PATH: process.env.PATH,
    HOME: cache,
    npm_config_registry: registry,
    npm_config_cache: cache,
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
  };
  return new Promise((done) => {
    execFile(process.execPath, ['scripts/advisories.mjs'], { cwd: root, env }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}`.trim() });
    });
  });
}

it(
  'the advisory check names a package that an advisory is about, and ends with 1',
  async () => {
    const { url, asked } = await startRegistry({
      fastify: [
        {
          id: 1,
          url: 'https://advisories.example/1',
          title: 'Says too much',
          severity: 'high',
          vulnerable_versions: `<=${fastify}`,
        },
      ],
    });
    const { code, said } = await check(url);
    expect(said).toContain(`high: fastify ${fastify}\n  Says too much (https://advisories.example/1)`);
    expect(said).toMatch(/\n1 package is named\.$/);
    expect([code, asked]).toEqual([1, expect.arrayContaining(['POST /-/npm/v1/security/advisories/bulk'])]);
  },
  PATIENCE_MS,
);

it(
  'ends with 0 where no advisory is about a package of ours',
  async () => {
    const { url, asked } = await startRegistry({});
    expect(await check(url)).toEqual({ code: 0, said: 'No advisory names a package of ours.' });
    expect(asked).toEqual(['POST /-/npm/v1/security/advisories/bulk']);
  },
  PATIENCE_MS,
);

it(
  'says that nothing is known where no registry answers, and ends with 3',
  async () => {
    const { code, said } = await check(`http://127.0.0.1:${await freePort()}/`);
    expect([code, said]).toEqual([
      3,
      expect.stringMatching(/^No registry answered, so nothing is known of advisories/),
    ]);
  },
  PATIENCE_MS,
);
