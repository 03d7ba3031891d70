import { deviceKey } from '@headrace/demo/device-key';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { HelloMessage } from '@headrace/device/messages';
import { gatewayDownFilter, type GatewayDownKind, gatewayTopic, parseTopic } from '@headrace/device/topics';
import type { GatewayLink } from '../links.ts';
import type { Log } from '../log.ts';
import type { Scheduler } from '../scheduler.ts';
import type { ConnectGate } from './connect-gate.ts';
import { openMqttLink } from './mqtt-link.ts';

/** What all connections of a simulator share. */
export type LinkOptions = {
  readonly url: string;
  readonly secret: string;
  /** Of gateways whose key isn't made from the secret, by MAC address. */
  readonly keys: ReadonlyMap<string, string>;
  readonly scheduler: Scheduler;
  readonly gate: ConnectGate;
  readonly log: Log;
};

export type GatewayClientOptions = LinkOptions & {
  readonly gateway: GatewayProfile;
  /** What `up/hello` says now, beside serial number, type and `bootId`. */
  readonly about: () => Pick<HelloMessage, 'firmwareVersion' | 'bootloaderVersion' | 'listRev' | 'supports'>;
  readonly onDown: (kind: GatewayDownKind, payload: Uint8Array) => void;
};

/** A restart takes this long, ms. */
const restartMs = 1500;

/** A gateway's connection: listens to its own `down/`, says that it is online and hello after every connect, and offline when it leaves or drops out. */
export function openGateway(options: GatewayClientOptions): GatewayLink {
  const { gateway, log, scheduler } = options;
  const stateTopic = gatewayTopic(gateway.mac, 'state');
  const startedAt = Date.now().toString(36);
  let restarts = 0;
  const link = openMqttLink({
    ...options,
    clientId: gateway.mac,
    username: gateway.mac,
    password: options.keys.get(gateway.mac) ?? deviceKey(options.secret, gateway.mac),
    will: { topic: stateTopic, payload: '{"online":false}' },
    greet: async (send, client) => {
      await client.subscribeAsync(gatewayDownFilter(gateway.mac), { qos: 1 });
      await send(stateTopic, { online: true, at: new Date().toISOString() }, true);
      await send(gatewayTopic(gateway.mac, 'hello'), {
        serialNumber: gateway.serialNumber,
        type: gateway.type,
        ...options.about(),
        bootId: `${startedAt}-${restarts}`,
        at: new Date().toISOString(),
      });
      log.info({ gateway: gateway.name }, 'gateway online');
    },
    onMessage: (topic, payload) => {
      const parsed = parseTopic(topic);
      if (parsed?.transport === 'gateway-down' && parsed.mac === gateway.mac)
        options.onDown(parsed.kind, payload);
    },
  });
  let isDown = false;
  return {
    isReady: link.isReady,
    publish: (kind, body) => link.publish(gatewayTopic(gateway.mac, kind), body),
    restart: () => {
      restarts += 1;
      link.pause();
      scheduler.add(Date.now() + restartMs, () => {
        if (!isDown) link.resume();
      });
    },
    setDown: (down) => {
      if (down === isDown) return;
      isDown = down;
      if (down) link.pause();
      else {
        restarts += 1;
        link.resume();
      }
    },
    stop: (inSilence) =>
      link.stop(
        inSilence
          ? undefined
          : (send) => send(stateTopic, { online: false, at: new Date().toISOString() }, true),
      ),
  };
}
