import type { BrokerAddress } from '@headrace/contract/settings';
import { parseBrokerUrl } from './broker-address.ts';

/**
 * Where devices reach the broker: the operator's address without user name and password, or else the built-in broker on `ownPort` of
 * the web app's host. Null: there is an outside broker whose public address is not set.
 */
export function publicBroker(publicUrl: string | null, ownPort: number | null): BrokerAddress | null {
  if (publicUrl !== null) {
    const { host, port, tls } = parseBrokerUrl(publicUrl);
    return { host, port, tls };
  }
  return ownPort === null ? null : { host: '', port: ownPort, tls: false };
}
