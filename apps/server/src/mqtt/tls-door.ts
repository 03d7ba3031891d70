import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Counters } from './counters.ts';

/** PEM texts: our certificate with those that vouch for it, and its key. */
export interface Pems {
  readonly cert: string;
  readonly key: string;
}

/** Where connections that come by TLS are agreed on. */
export interface TlsDoor {
  /** `goOn` with the socket to read from; one that agrees on nothing in time is destroyed. */
  open(socket: Socket, goOn: (opened: Socket) => void): void;
  /** For who comes from now on; who is here stays. */
  renew(pems: Pems): void;
}

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

export function createTlsDoor(
  pems: Pems,
  options: { handshakeTimeoutMs: number; counters: Counters },
): TlsDoor {
  const waiting = new Map<string, (opened: Socket) => void>();
  // It listens nowhere: what is accepted is handed to it, since those who are silent are counted before.
  const server = createServer(
    { ...pems, minVersion: 'TLSv1.2', handshakeTimeout: options.handshakeTimeoutMs },
    (opened: TLSSocket) => waiting.get(nameOf(opened))?.(opened),
  );
  server.on('tlsClientError', (_error, socket) => {
    options.counters.add('noTls');
    socket.destroy();
  });
  return {
    open(socket, goOn) {
      const name = nameOf(socket);
      waiting.set(name, goOn);
      socket.once('close', () => waiting.delete(name));
      server.emit('connection', socket);
    },
    renew: ({ cert, key }) => server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
  };
}
