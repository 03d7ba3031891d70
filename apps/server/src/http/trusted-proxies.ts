import ipaddr from 'ipaddr.js';

/** How many proxies stand one behind the other on this machine or its private network, or the addresses of those elsewhere. */
export type TrustedProxies = number | readonly string[];

const nearby = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal']);
const isNearby = (address: string): boolean =>
  ipaddr.isValid(address) && nearby.has(ipaddr.process(address).range());

/**
 * Fastify calls this for each address, from the connection's own (hop 0) back through `X-Forwarded-For`: is it one of our proxies, so
 * that the address it reports can be believed? What a caller has written there himself comes after our proxies, and is not believed.
 */
export function isOurProxy(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies];
  return proxies === 0 ? false : (address, hop) => hop < proxies && isNearby(address);
}

/** Whether a connection's own address is one of our proxies'. */
export function isProxyAddress(proxies: TrustedProxies, address: string): boolean {
  if (typeof proxies === 'number') return proxies > 0 && isNearby(address);
  return ipaddr.isValid(address) && proxies.some((proxy) => isWithin(ipaddr.process(address), proxy));
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.isValid(network)
    ? ([ipaddr.process(network), undefined] as const)
    : ipaddr.parseCIDR(network);
  return base.kind() === address.kind() && address.match(base, bits ?? (base.kind() === 'ipv4' ? 32 : 128));
}

/** An address, or a network as `10.0.0.0/8`. */
export const isAddressOrNetwork = (text: string): boolean => ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
