import type { BrokerAddress } from '@headrace/contract/settings';
import { parseBrokerUrl } from './broker-address.ts';

/**
 * Where devices reach the broker: as the operator says, without name and password if any were given; else the built-in one
 * at `ownPort`, where the web app is. Null: there is an outside broker and nothing is said of it.
 */
export function publicBroker(publicUrl: string | null, ownPort: number | null): BrokerAddress | null {
  if (publicUrl !== null) {
    const { host, port, tls } = parseBrokerUrl(publicUrl);
    return { host, port, tls };
  }
  return ownPort === null ? null : { host: '', port: ownPort, tls: false };
}
