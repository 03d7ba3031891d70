import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name one subscriber's network. RFC 6177: whoever has one address has the 2^64 beside it. */
const SUBSCRIBER_BITS = 64;

/**
 * The network that a limit by address counts: an IPv4 address as it is, also in its IPv6 form; of any other IPv6 address
 * its /64, as `2001:db8:1:2::/64`. Text that is no address counts as itself.
 */
export function subscriberNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`);
  return `${network.toString()}/${SUBSCRIBER_BITS}`;
}
