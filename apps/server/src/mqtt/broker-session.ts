import type { Socket } from 'node:net';
import mqtt, { type IConnackPacket, type IPublishPacket, type ISubackPacket, type Packet } from 'mqtt-packet';
import { type BrokerAddress, type BrokerTls, connectionFault, openSocket } from './broker-address.ts';
import { type FrameEvent, FrameLimiter } from './frame-limit.ts';
import { MAX_CONTROL_BYTES, MAX_PAYLOAD_BYTES, OVERSIZE_HEAD_BYTES } from './limits.ts';

export interface SessionOptions {
  address: BrokerAddress;
  tls?: BrokerTls;
  clientId: string;
  /** The broker forgets us with the connection, instead of keeping what we miss. */
  clean: boolean;
  filters: readonly string[];
  /** What the broker may say of itself; not every broker lets us hear it. */
  hints?: readonly string[];
  keepaliveS: number;
}

export interface SessionEvents {
  /** Signed in and subscribed. `isNew`: the broker had kept no session for us. */
  onReady(isNew: boolean): void;
  onPublish(packet: IPublishPacket): void;
  onPuback(packetId: number): void;
  /** Resolves when the message may be acknowledged; the session ends when it rejects. */
  onOversize(message: FrameEvent & { kind: 'oversize' }): Promise<void>;
  /** Always the last event, exactly once. */
  onClosed(reason: string): void;
}

/** Nothing was wrong, and the connection is gone. */
export const CLOSED_BY_BROKER = 'connection closed';
const HANDSHAKE_WITHIN_MS = 10_000;
const FAILURE = 128;
const CONNACK_MEANING = [
  '',
  'protocol version',
  'client id',
  'server unavailable',
  'user name or password',
  'not authorised',
];

/**
 * One connection to an external broker, from CONNECT to its end. An acknowledgement is valid only on the connection on which its
 * message came, because the next one starts new packet ids. So a session that has ended ignores what is still sent through it.
 */
export class BrokerSession {
  readonly #options: SessionOptions;
  readonly #events: SessionEvents;
  readonly #socket: Socket;
  readonly #parser = mqtt.parser({ protocolVersion: 4 });
  readonly #limiter = new FrameLimiter({
    maxPayload: MAX_PAYLOAD_BYTES,
    // The broker would send it again and again: skim whatever comes, MQTT itself ends at 256 MiB.
    maxSkim: Number.POSITIVE_INFINITY,
    maxControl: MAX_CONTROL_BYTES,
    headBytes: OVERSIZE_HEAD_BYTES,
  });
  readonly #handshakeTimer: NodeJS.Timeout;
  #pingTimer: NodeJS.Timeout | undefined;
  #oversizeStored: Promise<void> = Promise.resolve();
  #lastHeard = performance.now();
  #hasEnded = false;
  #isNew = true;

  constructor(options: SessionOptions, events: SessionEvents) {
    this.#options = options;
    this.#events = events;
    this.#socket = openSocket(options.address, options.tls);
    this.#handshakeTimer = setTimeout(() => this.end('no answer in time'), HANDSHAKE_WITHIN_MS);
    this.#parser.on('packet', (packet) => this.#handle(packet));
    this.#parser.on('error', () => this.end('malformed'));
    this.#socket.once(options.address.tls ? 'secureConnect' : 'connect', () => this.#connect());
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.end(connectionFault(error)));
    this.#socket.on('close', () => this.end(CLOSED_BY_BROKER));
  }

  send(packet: Packet): void {
    if (!this.#hasEnded) mqtt.writeToStream(packet, this.#socket);
  }

  /** Lets the socket wait while too much is held; the broker keeps what it can't send. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#lastHeard = performance.now();
    this.#socket.resume();
  }

  /** Says goodbye properly. The broker keeps the session, and all that is unacknowledged, for the next connection. */
  close(): void {
    this.send({ cmd: 'disconnect' });
    // Corked writes leave on the next turn.
    setImmediate(() => this.#socket.end(() => this.end('stopped')));
  }

  end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#handshakeTimer);
    clearInterval(this.#pingTimer);
    this.#socket.destroy();
    this.#events.onClosed(reason);
  }

  #connect(): void {
    const { clientId, clean, keepaliveS, address } = this.#options;
    this.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean,
      clientId,
      keepalive: keepaliveS,
      ...(address.username !== undefined && { username: address.username }),
      ...(address.password !== undefined && { password: Buffer.from(address.password) }),
    });
    this.#pingTimer = setInterval(() => this.#ping(), (keepaliveS * 1_000) / 2);
  }

  #ping(): void {
    const silentMs = performance.now() - this.#lastHeard;
    if (!this.#socket.isPaused() && silentMs > this.#options.keepaliveS * 1_500) this.end('broker is silent');
    else this.send({ cmd: 'pingreq' });
  }

  #receive(chunk: Buffer): void {
    this.#lastHeard = performance.now();
    for (const event of this.#limiter.feed(chunk)) {
      if (this.#hasEnded) return;
      this.#read(event);
    }
  }

  #read(event: FrameEvent): void {
    switch (event.kind) {
      case 'pass':
        this.#parser.parse(event.bytes);
        return;
      case 'oversize':
        this.#oversizeStored = this.#events.onOversize(event);
        this.#oversizeStored.catch(() => this.end('oversize message not stored'));
        return;
      case 'skimmed':
        this.#acknowledge(this.#oversizeStored, event).catch(() => undefined);
        return;
      case 'violation':
        this.end(event.reason);
    }
  }

  async #acknowledge(
    stored: Promise<void>,
    { qos, packetId }: { qos: number; packetId: number },
  ): Promise<void> {
    await stored;
    if (qos > 0) this.send({ cmd: 'puback', messageId: packetId });
  }

  #handle(packet: Packet): void {
    if (this.#hasEnded) return;
    switch (packet.cmd) {
      case 'connack':
        return this.#subscribe(packet);
      case 'suback':
        return this.#beReady(packet);
      case 'publish':
        // We subscribe with QoS 1, so more is not the broker's to send.
        return packet.qos === 2 ? this.end('malformed') : this.#events.onPublish(packet);
      case 'puback':
        return this.#events.onPuback(packet.messageId ?? 0);
      case 'pingresp':
        return;
      case 'auth':
      case 'connect':
      case 'disconnect':
      case 'pingreq':
      case 'pubcomp':
      case 'pubrec':
      case 'pubrel':
      case 'subscribe':
      case 'unsuback':
      case 'unsubscribe':
        return this.end('malformed');
      default:
        return packet satisfies never;
    }
  }

  #subscribe({ returnCode = 0, sessionPresent }: IConnackPacket): void {
    if (returnCode !== 0) {
      this.end(`refused: ${CONNACK_MEANING[returnCode] ?? returnCode}`);
      return;
    }
    this.#isNew = !sessionPresent;
    const { filters, hints = [] } = this.#options;
    const subscriptions = [...filters, ...hints].map((topic) => ({ topic, qos: 1 as const }));
    this.send({ cmd: 'subscribe', messageId: 1, subscriptions });
  }

  #beReady({ granted }: ISubackPacket): void {
    const refused = this.#options.filters.filter((_, index) => granted[index] === FAILURE);
    if (refused.length > 0) {
      this.end(`subscription refused: ${refused.join(', ')}`);
      return;
    }
    clearTimeout(this.#handshakeTimer);
    this.#events.onReady(this.#isNew);
  }
}
