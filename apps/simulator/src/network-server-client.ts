import { integrationKey, integrationUserName } from '@headrace/demo/device-key';
import type { FarmProfile } from '@headrace/demo/profile';
import { chirpstackTopic } from '@headrace/device/topics';
import { chirpstackUplink, type NetworkServerLink } from './links.ts';
import { type Log, openMqttLink } from './mqtt-link.ts';

/** ChirpStack as its MQTT integration speaks, signed in with the farm's integration key. `null` when the farm has none. */
export function openNetworkServer(
  farm: FarmProfile,
  url: string,
  secret: string,
  log: Log,
): NetworkServerLink | null {
  if (!farm.networkServer) return null;
  const { applicationId } = farm.networkServer;
  const frames = new Map<string, number>();
  const link = openMqttLink({
    url,
    clientId: integrationUserName(farm.key),
    username: integrationUserName(farm.key),
    password: integrationKey(secret, farm.name),
    log,
    onConnect: () => {
      log.info({ farm: farm.name }, 'network server online');
      return Promise.resolve();
    },
  });
  return {
    isReady: link.isReady,
    publish: (item, mapping, deviceName) => {
      const fCnt = (frames.get(item.mac) ?? 0) + 1;
      frames.set(item.mac, fCnt);
      return link.publish(
        chirpstackTopic(applicationId, item.mac),
        chirpstackUplink(item, mapping, { deviceName, applicationId, fCnt }),
      );
    },
    stop: () => link.stop(),
  };
}
