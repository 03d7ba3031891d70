import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface BrokerAddress {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
}

/** `mqtt://user:pass@host:1883` or `mqtts://…`. Throws with a message that holds no password. */
export function parseBrokerUrl(text: string): BrokerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['mqtt:', 'mqtts:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('The broker address must look like mqtt://user:password@host:1883 or mqtts://host:8883.');
  }
  const tls = url.protocol === 'mqtts:';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (tls ? 8883 : 1883) : Number(url.port),
    tls,
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
  };
}

/** `ca`: PEM of the authority that signed the broker's certificate, when the system does not know it. */
export function openSocket({ host, port, tls }: BrokerAddress, ca?: string): Socket {
  if (!tls) return connectTcp({ host, port, noDelay: true });
  const socket = connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...(ca && { ca }) });
  socket.setNoDelay(true);
  return socket;
}
