import type { IpcItem, RepeaterItem, SensorItem } from '@headrace/device/messages';
import type { Sensor } from './farm-model.ts';
import type { GatewayLink, NetworkServerLink } from './links.ts';

const batchSize = 50;

/** All ways from one farm to the server. */
export type FarmLinks = {
  readonly gateways: ReadonlyMap<string, GatewayLink>;
  readonly networkServer: NetworkServerLink | null;
};

export type Send = () => Promise<void>;

export function isReachable({ gateways, networkServer }: FarmLinks, { profile }: Sensor): boolean {
  const link = profile.gatewayMac === null ? networkServer : gateways.get(profile.gatewayMac);
  return link?.isReady() ?? false;
}

/** Messages for these readings: up to 50 items of one gateway in each, one each through the network server. The order is kept. */
export function sensorMessages(
  links: FarmLinks,
  items: readonly { sensor: Sensor; item: SensorItem }[],
): Send[] {
  const byGateway = new Map<string, SensorItem[]>();
  const sends: Send[] = [];
  for (const { sensor, item } of items) {
    const { profile } = sensor;
    const { gatewayMac } = profile;
    if (gatewayMac === null) {
      const { networkServer } = links;
      if (networkServer) sends.push(() => networkServer.publish(item, profile));
    } else {
      const list = byGateway.get(gatewayMac) ?? [];
      list.push(item);
      byGateway.set(gatewayMac, list);
    }
  }
  for (const [mac, list] of byGateway) sends.push(...itemMessages(links, mac, 'sensor', list));
  return sends;
}

export function itemMessages(
  links: FarmLinks,
  gatewayMac: string,
  kind: 'sensor' | 'ipc' | 'repeater',
  items: readonly (SensorItem | IpcItem | RepeaterItem)[],
): Send[] {
  const link = links.gateways.get(gatewayMac);
  if (!link) return [];
  const sends: Send[] = [];
  for (let start = 0; start < items.length; start += batchSize) {
    const batch = items.slice(start, start + batchSize);
    sends.push(() => link.publish(kind, { items: batch }));
  }
  return sends;
}
