import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import type { CommandDown, SchedulesDown, TimeDown } from '@headrace/device/downlinks';
import { setAckId } from '@headrace/device/commands';
import type { AckMessage } from '@headrace/device/messages';
import { gatewayDownFilter, gatewayTopic, parseTopic } from '@headrace/device/topics';

/** Something one unit is to do: once, and not after its time. */
interface Work {
  cmdId: string;
  mac: string;
  expiresAt: number;
}

/**
 * A gateway that keeps to the agreement and counts: what it did, how often and whether it was in time. Its link comes
 * and goes; an answer that can't be sent is lost, as over radio, until the server asks again.
 */
export class StrictGateway {
  /** How often each unit did each command, by `cmdId mac`. */
  readonly carriedOut = new Map<string, number>();
  readonly late: Work[] = [];
  /** Names of commands that were for no unit. */
  readonly answeredHere = new Set<string>();
  readonly #known = new Map<string, 'waiting' | 'done'>();
  readonly #waiting: Work[] = [];
  readonly #parts = new Map<number, SchedulesDown[]>();
  #client: MqttClient | undefined;
  #clockOffset = 0;
  #isWorking = false;
  #isStopped = false;

  constructor(readonly options: { mac: string; password: string; unitMs: number; serialNumber: string }) {}

  connect(port: number): void {
    const { mac, password } = this.options;
    const client = connect({
      host: '127.0.0.1',
      port,
      username: mac,
      password,
      clientId: mac,
      clean: true,
      reconnectPeriod: 50,
      queueQoSZero: false,
      will: {
        topic: gatewayTopic(mac, 'state'),
        payload: Buffer.from('{"online":false}'),
        qos: 1,
        retain: true,
      },
    });
    client.on('error', () => {});
    client.on('connect', () => void this.#greet(client).catch(() => {}));
    client.on('message', (topic, payload) => this.#hear(topic, payload));
    this.#client = client;
    if (!this.#isWorking) void this.#work();
  }

  async end(): Promise<void> {
    this.#isStopped = true;
    await this.#client?.endAsync(true);
  }

  async #greet(client: MqttClient): Promise<void> {
    const { mac, serialNumber } = this.options;
    await client.subscribeAsync(gatewayDownFilter(mac), { qos: 1 });
    this.#say('state', { online: true, at: new Date().toISOString() }, true);
    this.#say('hello', { serialNumber, type: 0, listRev: 1, bootId: 'strict' });
  }

  /** At most once, and only while the link is up: what is lost is lost. */
  #say(kind: 'state' | 'hello' | 'ack', body: object, retain = false): void {
    const client = this.#client;
    if (!client?.connected) return;
    client.publish(gatewayTopic(this.options.mac, kind), JSON.stringify(body), { qos: 1, retain }, () => {});
  }

  #ack(message: Omit<AckMessage, 'at'>): void {
    this.#say('ack', { ...message, at: new Date().toISOString() });
  }

  #hear(topic: string, payload: Buffer): void {
    const parsed = parseTopic(topic);
    if (parsed?.transport !== 'gateway-down') return;
    const body: unknown = JSON.parse(payload.toString());
    if (parsed.kind === 'time') this.#clockOffset = Date.parse((body as TimeDown).utc) - Date.now();
    if (parsed.kind === 'cmd') this.#command(body as CommandDown);
    if (parsed.kind === 'schedules') this.#schedules(body as SchedulesDown);
  }

  #command({ cmdId, mac, payload, expiresAt }: CommandDown): void {
    const macs = mac === undefined ? payload['macs'] : [mac];
    if (!Array.isArray(macs)) {
      this.answeredHere.add(cmdId);
      return this.#ack({ cmdId, state: 'done' });
    }
    for (const each of macs as string[]) this.#take({ cmdId, mac: each, expiresAt: Date.parse(expiresAt) });
  }

  #schedules(message: SchedulesDown): void {
    const { rev, part, parts, expiresAt } = message;
    const got = part === 1 ? [message] : [...(this.#parts.get(rev) ?? []), message];
    this.#parts.set(rev, got);
    if (got.length < parts) return;
    const until = expiresAt === undefined ? Infinity : Date.parse(expiresAt);
    for (const { mac } of got.flatMap(({ units }) => units))
      this.#take({ cmdId: setAckId(rev), mac, expiresAt: until });
  }

  #take(work: Work): void {
    const key = `${work.cmdId} ${work.mac}`;
    const known = this.#known.get(key);
    if (known === undefined) {
      this.#known.set(key, 'waiting');
      this.#waiting.push(work);
    }
    this.#ack({ cmdId: work.cmdId, mac: work.mac, state: known === 'done' ? 'done' : 'accepted' });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    while (!this.#isStopped) {
      await sleep(this.options.unitMs);
      const work = this.#waiting.shift();
      if (!work) continue;
      const time = Date.now() + this.#clockOffset;
      if (time > work.expiresAt) continue;
      const key = `${work.cmdId} ${work.mac}`;
      this.carriedOut.set(key, (this.carriedOut.get(key) ?? 0) + 1);
      this.#known.set(key, 'done');
      if (time > work.expiresAt) this.late.push(work);
      this.#ack({ cmdId: work.cmdId, mac: work.mac, state: 'done' });
    }
  }
}
