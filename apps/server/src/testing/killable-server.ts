import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { freePort } from './free-port.ts';

/** What `npm run build` makes. */
const main = new URL('../../dist/main.js', import.meta.url).pathname;

/** A process of the built server that is killed and started again, each time at the same port of its broker. */
export class KillableServer {
  readonly #env: Record<string, string>;
  #process: ChildProcess | undefined;
  mqttPort = 0;
  /** Another one after each start. */
  url = '';

  constructor(env: Record<string, string>) {
    if (!existsSync(main)) throw new Error('The server is not built: run `npm run build` first.');
    this.#env = env;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    // Not one that the system gives to others while this server is dead.
    this.mqttPort ||= await freePort();
    const env = { PORT: '0', MQTT_PORT: String(this.mqttPort), LOG_LEVEL: 'error', ...this.#env };
    const child = fork(main, [], { execArgv: [], env: { PATH: process.env.PATH, ...env } });
    this.#process = child;
    const exited = once(child, 'exit').then(([code]) => {
      throw new Error(`the server ended with ${String(code)} before it listened`);
    });
    const [message] = (await Promise.race([once(child, 'message'), exited])) as [
      { mqttPort: number; url: string },
    ];
    exited.catch(() => undefined);
    this.mqttPort = message.mqttPort;
    this.url = message.url;
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}
