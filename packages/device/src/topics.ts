/**
 * Every topic of both transports, built and parsed in one place. All functions are pure and total: what isn't ours is `null`.
 * Gateways live under `headrace/v1/{mac}`; LoRaWAN network servers keep the topics of their own MQTT integration.
 */

/** What a gateway may say, and where: `state` is retained and its will, the others live under `up/`. */
export const gatewayUpKinds = ['hello', 'status', 'ipc', 'repeater', 'sensor', 'io', 'ack'] as const;
export type GatewayUpKind = (typeof gatewayUpKinds)[number];
export type GatewayMessageKind = GatewayUpKind | 'state';

/** What we say to a gateway, all under `down/`. */
export const gatewayDownKinds = ['cmd', 'ipc-list', 'schedules', 'io-settings', 'config', 'time'] as const;
export type GatewayDownKind = (typeof gatewayDownKinds)[number];

export type DeviceTopic =
  | { readonly transport: 'gateway'; readonly mac: string; readonly kind: GatewayMessageKind }
  | { readonly transport: 'gateway-down'; readonly mac: string; readonly kind: GatewayDownKind }
  | ChirpstackTopic
  | TheThingsStackTopic;

export type ChirpstackTopic = {
  readonly transport: 'chirpstack';
  readonly applicationId: string;
  /** 16 upper-case hex digits: the sensor's MAC address. */
  readonly devEui: string;
  /** `up` carries readings; join, status, ack, txack, log, location and integration create none. */
  readonly event: string;
};

export type TheThingsStackTopic = {
  readonly transport: 'the-things-stack';
  readonly applicationId: string;
  readonly tenantId: string | null;
  /** The name in the network server, not the DevEUI: that one is in the payload. */
  readonly deviceId: string;
  readonly event: string;
};

/** What a server subscribes to. */
export const topicFilters = {
  gatewayUp: 'headrace/v1/+/up/#',
  gatewayState: 'headrace/v1/+/state',
  chirpstack: 'application/+/device/+/event/+',
  theThingsStackUp: 'v3/+/devices/+/up',
  theThingsStackJoin: 'v3/+/devices/+/join',
  theThingsStackDown: 'v3/+/devices/+/down/+',
  theThingsStackLocation: 'v3/+/devices/+/location/solved',
} as const;

const macPattern = /^(?!0+$|F+$)(?:[0-9A-F]{12}|[0-9A-F]{16})$/;
const devEuiPattern = /^[0-9A-Fa-f]{16}$/;

/**
 * True for 12 or 16 upper-case hex digits without separators. All zeros or all F are no device's: it is what a chip without an
 * address says, and what stands for every device (IEEE 802).
 */
export function isMac(text: string): boolean {
  return macPattern.test(text);
}

/** Upper case, without the separators people type; `null` when that is no device's MAC. */
export function normaliseMac(text: string): string | null {
  const mac = text.replaceAll(/[\s:.-]/g, '').toUpperCase();
  return isMac(mac) ? mac : null;
}

export function gatewayTopic(mac: string, kind: GatewayMessageKind): string {
  return kind === 'state' ? `headrace/v1/${mac}/state` : `headrace/v1/${mac}/up/${kind}`;
}

export function gatewayDownTopic(mac: string, kind: GatewayDownKind): string {
  return `headrace/v1/${mac}/down/${kind}`;
}

/** What a gateway subscribes to: everything said to it and nothing else. */
export function gatewayDownFilter(mac: string): string {
  return `headrace/v1/${mac}/down/#`;
}

/** ChirpStack writes the DevEUI in lower case. */
export function chirpstackTopic(applicationId: string, devEui: string, event = 'up'): string {
  return `application/${applicationId}/device/${devEui.toLowerCase()}/event/${event}`;
}

export function theThingsStackTopic(
  applicationId: string,
  tenantId: string | null,
  deviceId: string,
): string {
  const application = tenantId === null ? applicationId : `${applicationId}@${tenantId}`;
  return `v3/${application}/devices/${deviceId}/up`;
}

export function parseTopic(topic: string): DeviceTopic | null {
  if (topic.length > 512) return null;
  const levels = topic.split('/');
  if (levels[0] === 'headrace') return parseGatewayTopic(levels);
  if (levels[0] === 'application') return parseChirpstackTopic(levels);
  return levels[0] === 'v3' ? parseTheThingsStackTopic(levels) : null;
}

function parseGatewayTopic(levels: string[]): DeviceTopic | null {
  const [, version, mac, direction, kind] = levels;
  if (version !== 'v1' || mac === undefined || !isMac(mac)) return null;
  if (direction === 'state') return levels.length === 4 ? { transport: 'gateway', mac, kind: 'state' } : null;
  if (levels.length !== 5) return null;
  const upKind = gatewayUpKinds.find((known) => known === kind);
  if (direction === 'up') return upKind ? { transport: 'gateway', mac, kind: upKind } : null;
  const downKind = gatewayDownKinds.find((known) => known === kind);
  return direction === 'down' && downKind ? { transport: 'gateway-down', mac, kind: downKind } : null;
}

function parseChirpstackTopic(levels: string[]): DeviceTopic | null {
  const [, applicationId, device, devEui, eventWord, event] = levels;
  if (levels.length !== 6 || device !== 'device' || eventWord !== 'event') return null;
  if (!applicationId || !devEui || !devEuiPattern.test(devEui) || !event) return null;
  return { transport: 'chirpstack', applicationId, devEui: devEui.toUpperCase(), event };
}

function parseTheThingsStackTopic(levels: string[]): DeviceTopic | null {
  const [, application, devices, deviceId, ...event] = levels;
  if (!application || devices !== 'devices' || !deviceId || event.length === 0) return null;
  const [applicationId, tenantId, ...more] = application.split('@');
  if (!applicationId || tenantId === '' || more.length > 0 || event.includes('')) return null;
  return {
    transport: 'the-things-stack',
    applicationId,
    tenantId: tenantId ?? null,
    deviceId,
    event: event.join('/'),
  };
}
