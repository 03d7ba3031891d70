import type { Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import type { Counters } from './counters.ts';

/** PEM texts: our certificate with those that vouch for it, and its key. */
export interface Pems {
  readonly cert: string;
  readonly key: string;
}

/** Where connections that come by TLS are agreed on. */
export interface TlsListener {
  /** `goOn` with the socket to read from; one that agrees on nothing in time is destroyed. */
  open(socket: Socket, goOn: (opened: Socket) => void): void;
  /** For who comes from now on; who is here stays. */
  renew(pems: Pems): void;
}

/**
 * TLS 1.2 and 1.3, each with keys of its own for every connection and encryption that also proves itself. Node's own list takes static RSA,
 * CBC and short CCM too. Both calls below take it: a renewed certificate must not bring them back.
 */
const PROTOCOL = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const;

const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;

export function createTlsListener(
  pems: Pems,
  options: { handshakeTimeoutMs: number; counters: Counters },
): TlsListener {
  const waiting = new Map<string, (opened: Socket) => void>();
  // It listens nowhere: what is accepted is handed to it, since those who are silent are counted before.
  const server = createServer(
    { ...pems, ...PROTOCOL, handshakeTimeout: options.handshakeTimeoutMs },
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
    renew: ({ cert, key }) => server.setSecureContext({ cert, key, ...PROTOCOL }),
  };
}
