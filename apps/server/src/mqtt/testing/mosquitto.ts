import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../testing/free-port.ts';
import { eventually, KEY, MAC, OTHER_MAC } from './transport-kit.ts';

const PROGRAM = '/usr/sbin/mosquitto';
const SHIPPED = fileURLToPath(new URL('../../../../../docs/deploy/mosquitto/', import.meta.url));
export const hasMosquitto = existsSync(PROGRAM);
if (!hasMosquitto)
  console.warn(
    'mosquitto is not installed: what needs an outside broker is not tested here (apt-get install mosquitto)',
  );

export interface MosquittoOptions {
  /** Lines of the password file with passwords in the clear; `mosquitto_passwd` turns them into hashes. */
  users?: Record<string, string>;
  /** More configuration, like a listener with TLS. `{folder}` becomes the broker's folder. */
  extra?: string;
}

/** Mosquitto with the configuration we ship; only its paths and port are this test's own. */
export class Mosquitto {
  /** For devices. */
  readonly port: number;
  /** For servers. */
  readonly serverPort: number;
  readonly folder: string;
  /** What it has written since it was started last, such as who came and went. */
  log = '';
  #process: ChildProcess | undefined;

  constructor(folder: string, ports: { devices: number; servers: number }) {
    this.folder = folder;
    this.port = ports.devices;
    this.serverPort = ports.servers;
  }

  get passwordFile(): string {
    return join(this.folder, 'passwd');
  }

  async configure({ users, extra = '' }: MosquittoOptions): Promise<void> {
    const shipped = await readFile(join(SHIPPED, 'mosquitto.conf'), 'utf8');
    const own: [RegExp, string][] = [
      [/^listener 1883$/m, `listener ${this.port} 127.0.0.1`],
      [/^listener 1884 127\.0\.0\.1$/m, `listener ${this.serverPort} 127.0.0.1`],
      [/^password_file .*$/m, `password_file ${this.passwordFile}`],
      [/^acl_file .*$/m, `acl_file ${join(this.folder, 'acl')}`],
      [/^persistence_location .*$/m, `persistence_location ${this.folder}/`],
    ];
    const text = own.reduce((conf, [line, replacement]) => {
      expect(conf).toMatch(line);
      return conf.replace(line, replacement);
    }, shipped);
    // Started as root it would change to a user that can't read this folder.
    const more = `user root\n${extra.replaceAll('{folder}', this.folder)}\n`;
    await writeFile(join(this.folder, 'mosquitto.conf'), `${text}\n${more}`);
    await copyFile(join(SHIPPED, 'headrace.acl'), join(this.folder, 'acl'));
    await this.setUsers(users ?? { headrace: KEY, [MAC]: KEY, [OTHER_MAC]: KEY });
  }

  async setUsers(users: Record<string, string>): Promise<void> {
    const lines = Object.entries(users).map(([name, password]) => `${name}:${password}\n`);
    await writeFile(this.passwordFile, lines.join(''));
    execFileSync('mosquitto_passwd', ['-U', this.passwordFile], { stdio: 'ignore' });
  }

  async start(): Promise<void> {
    const child = spawn(PROGRAM, ['-c', join(this.folder, 'mosquitto.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    this.log = '';
    child.stderr.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    await eventually(() => this.log.includes('running') || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(this.log);
  }

  /** Has it read the users anew; who signs in from then on is judged by them. */
  async reload(): Promise<void> {
    const reloads = () => this.log.split('Reloading config').length;
    const before = reloads();
    this.#process?.kill('SIGHUP');
    await eventually(() => reloads() > before);
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(name);
  }

  /** As by a crash: what it had not written is gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await eventually(() => child.exitCode !== null || child.signalCode !== null);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await eventually(() => child.exitCode !== null);
  }
}

/** Running until the test is over. */
export async function startMosquitto(options: MosquittoOptions = {}): Promise<Mosquitto> {
  const folder = await mkdtemp(join(tmpdir(), 'headrace-mosquitto-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const mosquitto = new Mosquitto(folder, { devices: await freePort(), servers: await freePort() });
  await mosquitto.configure(options);
  await mosquitto.start();
  onTestFinished(() => mosquitto.stop());
  return mosquitto;
}
