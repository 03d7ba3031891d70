import { createHmac } from 'node:crypto';

/**
 * Keys of the demo's devices, derived from one secret that seed and simulator share, so that neither has to tell the other.
 * Real devices get random keys instead.
 */

/** The MQTT password of a demo gateway; its user name is its MAC address. */
export function deviceKey(secret: string, mac: string): string {
  return derive(secret, `gateway:${mac}`);
}

/** The MQTT password of a demo farm's network server. */
export function integrationKey(secret: string, farmName: string): string {
  return derive(secret, `integration:${farmName}`);
}

/** The MQTT user name that goes with it. */
export function integrationUserName(farmKey: string): string {
  return `network-server-${farmKey}`;
}

function derive(secret: string, subject: string): string {
  return createHmac('sha256', secret).update(subject).digest('base64url');
}
