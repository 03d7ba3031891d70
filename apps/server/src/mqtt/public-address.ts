import type { BrokerAddress } from '@headrace/contract/settings';
import { parseBrokerUrl } from './broker-address.ts';

/**
 * Where devices reach the broker: the operator's address without user name and password, or else the built-in broker at
 * the web app's host, by TLS if it has that. Null: there is an outside broker whose public address is not set.
 */
export function publicBroker(
  publicUrl: string | null,
  own: { mqttPort(): number | null; mqttTlsPort(): number | null },
): BrokerAddress | null {
  if (publicUrl !== null) {
    const { host, port, tls } = parseBrokerUrl(publicUrl);
    return { host, port, tls };
  }
  const [port, tlsPort] = [own.mqttPort(), own.mqttTlsPort()];
  if (tlsPort !== null) return { host: '', port: tlsPort, tls: true };
  return port === null ? null : { host: '', port, tls: false };
}
