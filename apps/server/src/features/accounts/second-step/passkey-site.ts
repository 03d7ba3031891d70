import { isIP } from 'node:net';

/** The site that passkeys are made for: they work there and nowhere else. */
export interface PasskeySite {
  /** Its host's name. */
  readonly id: string;
  readonly origin: string;
}

/** Browsers make passkeys for names by https, and for this machine; null: not for this address. W3C Web Authentication, 5.1.2. */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (isLoopback && protocol === 'http:')
    return { id: 'localhost', origin: `http://localhost${port ? `:${port}` : ''}` };
  return protocol === 'https:' && isIP(hostname.replace(/^\[|\]$/g, '')) === 0
    ? { id: hostname, origin }
    : null;
}
