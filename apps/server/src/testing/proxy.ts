import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const programs = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' } as const;
export type ProxyProgram = keyof typeof programs;

export const hasProxy = (name: ProxyProgram): boolean => existsSync(programs[name]);
for (const name of ['nginx', 'caddy'] as const)
  if (!hasProxy(name)) console.warn(`${name} is not installed: what stands behind it is not tested here`);

export interface Proxy {
  url: string;
  stop(): Promise<void>;
}

/** Debian's nginx or Caddy on a free port of this machine, with this configuration; `{port}` and `{server}` are filled in. */
export async function startProxy(name: ProxyProgram, config: string, serverUrl: string): Promise<Proxy> {
  const folder = await mkdtemp(join(tmpdir(), `headrace-${name}-`));
  const port = await freePort();
  const text = config.replaceAll('{port}', String(port)).replaceAll('{server}', new URL(serverUrl).host);
  const file = join(folder, 'config');
  await writeFile(file, name === 'nginx' ? wholeNginx(text, folder) : `{\n admin off\n}\n${text}`);
  const args = {
    nginx: ['-p', folder, '-c', file, '-e', join(folder, 'error.log')],
    caddy: ['run', '--config', file, '--adapter', 'caddyfile'],
  }[name];
  const child = spawn(programs[name], args, { env: { HOME: folder, XDG_DATA_HOME: folder } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const gone = once(child, 'exit');
  while (!(await answers(port))) {
    if (child.exitCode !== null)
      throw new Error(
        `${name} ended: ${said}${await readFile(join(folder, 'error.log'), 'utf8').catch(() => '')}`,
      );
    await sleep(50);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What Debian's nginx.conf says around a site, with all of its files in one folder. */
function wholeNginx(site: string, folder: string): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const isRoot = process.getuid?.() === 0;
  return `${isRoot ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/pid;
events { worker_connections 512; }
http { access_log off; ${folders.join(' ')}
${site}
}`;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}

const sections = { nginx: 'nginx:', caddy: 'Caddy does both' } as const;

/** The blocks of docs/deploy/systemd.md for this program: of https, and of plain http. */
async function documentedBlocks(name: ProxyProgram): Promise<string[]> {
  const page = new URL('../../../../docs/deploy/systemd.md', import.meta.url);
  const after = (await readFile(page, 'utf8')).split(sections[name], 2)[1] ?? '';
  return [...after.matchAll(/```\w*\n([^]*?)```/g)].slice(0, 2).map(([, block = '']) => block);
}

/** What docs/deploy/systemd.md says to write, without TLS and on `{port}`. */
export async function documentedConfig(name: ProxyProgram): Promise<string> {
  const [block = ''] = await documentedBlocks(name);
  const plain = block
    .replace('listen 443 ssl;', 'listen 127.0.0.1:{port};')
    .replace(/^ *ssl_.*\n/gm, '')
    .replace('farm.example.com {', 'http://127.0.0.1:{port} {')
    .replaceAll('127.0.0.1:3000', '{server}');
  return complete(name, plain, ['{port}', '{server}']);
}

/** What it says to write for port 80, on `{port}`. */
export async function documentedRedirect(name: ProxyProgram): Promise<string> {
  const [, block = ''] = await documentedBlocks(name);
  const own = block
    .replace('listen 80;', 'listen 127.0.0.1:{port};')
    .replace('http://farm.example.com {', 'http://127.0.0.1:{port} {');
  return complete(name, own, ['{port}', '308']);
}

function complete(name: ProxyProgram, config: string, parts: readonly string[]): string {
  if (!parts.every((part) => config.includes(part)))
    throw new Error(`docs/deploy/systemd.md has no configuration of ${name} that can be tried`);
  return config;
}
