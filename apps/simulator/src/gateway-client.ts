import { deviceKey } from '@headrace/demo/device-key';
import type { GatewayProfile } from '@headrace/demo/profile';
import { gatewayDownFilter, type GatewayDownKind, gatewayTopic, parseTopic } from '@headrace/device/topics';
import type { GatewayLink } from './links.ts';
import { type Log, openMqttLink } from './mqtt-link.ts';

export type GatewayClientOptions = {
  readonly url: string;
  readonly secret: string;
  readonly gateway: GatewayProfile;
  readonly bootId: string;
  readonly listRev: () => number;
  readonly onDown: (kind: GatewayDownKind, payload: Uint8Array) => void;
  readonly log: Log;
};

export const firmwareVersion = 412;
export const bootloaderVersion = 103;

/** A gateway's connection: listens to its own `down/`, says that it is online and hello after every connect, and offline when it leaves or drops out. */
export function openGateway(options: GatewayClientOptions): GatewayLink {
  const { gateway, log } = options;
  const stateTopic = gatewayTopic(gateway.mac, 'state');
  const link = openMqttLink({
    url: options.url,
    clientId: gateway.mac,
    username: gateway.mac,
    password: deviceKey(options.secret, gateway.mac),
    will: { topic: stateTopic, payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
    log,
    onConnect: async (client) => {
      await client.subscribeAsync(gatewayDownFilter(gateway.mac), { qos: 1 });
      await link.publish(stateTopic, { online: true, at: new Date().toISOString() }, true);
      await link.publish(gatewayTopic(gateway.mac, 'hello'), {
        serialNumber: gateway.serialNumber,
        type: gateway.type,
        firmwareVersion,
        bootloaderVersion,
        listRev: options.listRev(),
        bootId: options.bootId,
      });
      log.info({ gateway: gateway.name }, 'gateway online');
    },
    onMessage: (topic, payload) => {
      const parsed = parseTopic(topic);
      if (parsed?.door === 'gateway-down' && parsed.mac === gateway.mac) options.onDown(parsed.kind, payload);
    },
  });
  return {
    isReady: link.isReady,
    publish: (kind, body) => link.publish(gatewayTopic(gateway.mac, kind), body),
    stop: () =>
      link.stop(() => link.publish(stateTopic, { online: false, at: new Date().toISOString() }, true)),
  };
}
