/**
 * The push services of Chrome and its kin, Firefox, Safari and Edge. A browser tells us where to send, so that anybody
 * could make this server call any address: it calls these, and those that the operator adds.
 */
const KNOWN = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  'web.push.apple.com',
  'notify.windows.com',
] as const;

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

/** Whether push messages may go to this address: https, and one of the hosts or below it. Plain http to this machine alone. */
export function isPushAddress(endpoint: string, moreHosts: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, username, password } = new URL(endpoint);
  if (username || password) return false;
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(hostname))) return false;
  return [...KNOWN, ...moreHosts].some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
