import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import mqttClient, { type IClientOptions, type MqttClient } from 'mqtt';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { onTestFinished } from 'vitest';
import type { DeviceMessage, MqttTransport, OversizeReport, Sender } from '../transport.ts';
import { createEmbeddedBroker, type EmbeddedBroker, type EmbeddedBrokerOptions } from '../embedded-broker.ts';

export const MAC = '0004A30B001C0530';
export const OTHER_MAC = '0004A30B001C0531';
export const KEY = 'right-key';

/** The users of these tests; everyone's key is KEY. */
const USERS: Record<string, Sender> = {
  [MAC]: { kind: 'gateway', farmId: 1, deviceId: 10, mac: MAC },
  [OTHER_MAC]: { kind: 'gateway', farmId: 2, deviceId: 11, mac: OTHER_MAC },
  lorawan: { kind: 'network', farmId: 1, keyId: 7 },
  server: { kind: 'server' },
};

/** What came through a transport. Acknowledges at once unless a test wants to do it. */
export class Inbox {
  readonly messages: DeviceMessage[] = [];
  readonly oversize: OversizeReport[] = [];
  isAutomatic = true;

  readonly take = (message: DeviceMessage): void => {
    this.messages.push(message);
    if (this.isAutomatic) message.ack();
  };

  readonly takeOversize = (report: OversizeReport): void => {
    this.oversize.push(report);
  };

  get topics(): string[] {
    return this.messages.map(({ topic }) => topic);
  }

  get texts(): string[] {
    return this.messages.map(({ payload }) => payload.toString());
  }

  /** Resolves when that many messages have come in all. */
  async count(expected: number): Promise<DeviceMessage[]> {
    await eventually(() => this.messages.length >= expected);
    return this.messages;
  }
}

export async function openBroker(
  options: Partial<EmbeddedBrokerOptions> & { inbox?: Inbox } = {},
): Promise<{ broker: EmbeddedBroker; inbox: Inbox }> {
  const { inbox = new Inbox(), ...rest } = options;
  const broker = createEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    authenticate: (username, password) =>
      Promise.resolve(password === KEY ? (USERS[username] ?? null) : null),
    onOversize: inbox.takeOversize,
    stopWithinMs: 200,
    ...rest,
  });
  await broker.start(inbox.take);
  onTestFinished(() => broker.stop());
  return { broker, inbox };
}

/** A real client, signed in. */
export async function signIn(
  port: number,
  username: string,
  options: IClientOptions = {},
): Promise<MqttClient> {
  const client = await mqttClient.connectAsync(
    `mqtt://127.0.0.1:${port}`,
    { protocolVersion: 4, reconnectPeriod: 0, username, password: KEY, ...options },
    false,
  );
  client.on('error', () => undefined);
  onTestFinished(() => client.endAsync(true));
  return client;
}

/** A socket on which a test says exactly what it wants. */
export async function openRaw(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connectTcp({ host: '127.0.0.1', port, localAddress });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

export const encode = (packet: Packet): Buffer => mqttPacket.generate(packet);

export const connectPacket = (username: string): Buffer =>
  encode({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId: `raw-${username}`,
    keepalive: 0,
    username,
    password: Buffer.from(KEY),
  });

export const publishPacket = (topic: string, payload: string | Buffer, messageId: number): Buffer =>
  encode({ cmd: 'publish', topic, payload, messageId, qos: 1, retain: false, dup: false });

export const up = (kind: string, mac = MAC): string => `headrace/v1/${mac}/up/${kind}`;

/** As long as a busy machine may take, ms: what comes later is held to never come. */
const PATIENCE_MS = 20_000;

/** Waits for what is going to be true; fails with the condition's own source when it never is. */
export async function eventually(isTrue: () => boolean, withinMs = PATIENCE_MS): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error(`never came true: ${isTrue.toString()}`);
    await pause(5);
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** True once the other side has closed; what it said last is read and thrown away. */
export function isClosed(socket: Socket): Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  socket.resume();
  return Promise.race([closed, pause(PATIENCE_MS).then(() => false)]);
}

export async function startTransport(transport: MqttTransport, inbox: Inbox): Promise<void> {
  await transport.start(inbox.take);
  onTestFinished(() => transport.stop());
}
