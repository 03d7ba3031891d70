import type { Socket } from 'node:net';
import type { Aedes } from 'aedes';
import { WaitingRoom, type WaitingRoomLimits } from '../waiting-room.ts';
import { addressKey } from './attempt-limit.ts';
import type { Counters } from './counters.ts';
import { type ConnectionOptions, LimitedConnection } from './limited-connection.ts';
import type { TlsListener } from './tls-listener.ts';

const TCP_PROBE_AFTER_MS = 60_000;

export interface EntranceOptions {
  /** Connections that have not said yet who they are. */
  readonly maxSilent: WaitingRoomLimits;
  /** How long a connection may take until its first byte. */
  readonly connectTimeoutMs: number;
  readonly connection: ConnectionOptions;
  readonly counters: Counters;
}

/** Where connections come in. Until its first byte one costs us next to nothing: strangers open them by the thousand. */
export class Entrance {
  /** Those of whom something was heard. */
  readonly connections = new Set<LimitedConnection>();
  readonly #options: EntranceOptions;
  readonly #silent: WaitingRoom<Socket>;
  /** Of whom nothing at all was heard yet. */
  readonly #unheard = new Set<Socket>();
  /** How those who are silent leave the room, by their connection. */
  readonly #leaves = new WeakMap<object, () => void>();

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#silent = new WaitingRoom<Socket>(options.maxSilent, (socket) => {
      options.counters.add('silent');
      socket.destroy();
    });
  }

  accept(aedes: Aedes, socket: Socket): void {
    const leave = this.#enter(socket);
    this.#atFirstByte(socket, () => {
      this.#unheard.delete(socket);
      this.#hear(aedes, socket, leave);
    });
  }

  /** Who comes by TLS: its first bytes are for the listener, and it is silent until it has spoken behind that. */
  acceptSealed(aedes: Aedes, socket: Socket, listener: TlsListener): void {
    const leave = this.#enter(socket);
    const hear = (opened: Socket) =>
      this.#atFirstByte(opened, () => {
        this.#unheard.delete(socket);
        this.#hear(aedes, opened, leave);
      });
    this.#atFirstByte(socket, () => listener.open(socket, hear));
  }

  /** It has said who it is. */
  letIn(connection: object): void {
    this.#leaves.get(connection)?.();
  }

  /** No more is taken from anybody. */
  shut(): void {
    for (const socket of this.#unheard) socket.destroy();
    for (const connection of this.connections) connection.shut();
  }

  #enter(socket: Socket): () => void {
    const leave = this.#silent.enter(addressKey(socket.remoteAddress ?? ''), socket);
    this.#unheard.add(socket);
    socket.once('close', () => {
      leave();
      this.#unheard.delete(socket);
    });
    return leave;
  }

  #atFirstByte(socket: Socket, goOn: () => void): void {
    socket.setTimeout(this.#options.connectTimeoutMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      socket.pause();
      socket.setTimeout(0);
      socket.unshift(first);
      goOn();
    });
  }

  #hear(aedes: Aedes, socket: Socket, leave: () => void): void {
    socket.setNoDelay(true);
    // A client may do without MQTT keep-alive; its silent end is then found by TCP.
    socket.setKeepAlive(true, TCP_PROBE_AFTER_MS);
    const connection = new LimitedConnection(socket, this.#options.connection);
    this.connections.add(connection);
    this.#leaves.set(connection, leave);
    connection.once('close', () => this.connections.delete(connection));
    aedes.handle(connection);
  }
}
