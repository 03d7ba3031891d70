import { integrationKey, integrationUserName } from '@headrace/demo/device-key';
import type { FarmProfile, SensorProfile } from '@headrace/demo/profile';
import { chirpstackTopic } from '@headrace/device/topics';
import type { LinkOptions } from '../link/gateway-client.ts';
import { openMqttLink } from '../link/mqtt-link.ts';
import type { NetworkServerLink } from '../links.ts';
import { networkEvent, uplinkEvent } from './chirpstack-events.ts';

/** ChirpStack as its MQTT integration speaks, signed in with the farm's integration key. `null` when the farm has none. */
export function openNetworkServer(farm: FarmProfile, options: LinkOptions): NetworkServerLink | null {
  if (!farm.networkServer) return null;
  const { applicationId } = farm.networkServer;
  /** Frames counted since the join; kept nowhere, so that every start begins with a join. */
  const frames = new Map<string, number>();
  const link = openMqttLink({
    ...options,
    clientId: integrationUserName(farm.key),
    username: integrationUserName(farm.key),
    password: integrationKey(options.secret, farm.name),
    greet: () => {
      options.log.info({ farm: farm.name }, 'network server online');
      return Promise.resolve();
    },
  });
  const publishEvent: NetworkServerLink['publishEvent'] = (device, event) =>
    link.publish(
      chirpstackTopic(applicationId, device.mac, event.kind),
      networkEvent(device, applicationId, event),
    );
  const join = async (device: SensorProfile, at: number): Promise<void> => {
    frames.set(device.mac, 0);
    await publishEvent(device, { kind: 'join', at });
  };
  return {
    isReady: link.isReady,
    publish: async (item, device) => {
      const joining = frames.has(device.mac) ? null : join(device, Date.parse(item.at));
      const fCnt = frames.get(device.mac) ?? 0;
      frames.set(device.mac, fCnt + 1);
      const sending = link.publish(
        chirpstackTopic(applicationId, device.mac),
        uplinkEvent(item, device, { applicationId, fCnt }),
      );
      await Promise.all([joining, sending]);
    },
    publishEvent,
    stop: () => link.stop(),
  };
}
