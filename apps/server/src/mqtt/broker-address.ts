import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface BrokerAddress {
  host: string;
  port: number;
  tls: boolean;
  username?: string;
  password?: string;
}

/** PEM texts, for brokers that the system's authorities don't vouch for or that ask who we are. */
export interface BrokerTls {
  /** The authority that signed the broker's certificate, in place of the system's. */
  ca?: string;
  /** Our own certificate, with its key. */
  cert?: string;
  key?: string;
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

export function openSocket({ host, port, tls }: BrokerAddress, options: BrokerTls = {}): Socket {
  if (!tls) return connectTcp({ host, port, noDelay: true });
  const socket = connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...options });
  socket.setNoDelay(true);
  return socket;
}

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
]);

/** Why a connection failed, in words that name the remedy and no address: /readyz shows them to anyone. */
export function connectionFault(error: NodeJS.ErrnoException): string {
  const { code = 'connection failed' } = error;
  if (UNTRUSTED.has(code))
    return "the broker's certificate is not signed by a trusted authority: name its authority's file in MQTT_CA_FILE";
  if (code === 'CERT_HAS_EXPIRED') return "the broker's certificate has expired";
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return "the broker's certificate is for another host name than MQTT_URL has";
  if (/^ERR_SSL_.*ALERT/.test(code))
    return 'the broker refused our certificate: it asks for MQTT_CERT_FILE and MQTT_KEY_FILE, or does not trust them';
  return code;
}
