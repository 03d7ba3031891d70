import type { SensorItem } from '@headrace/device/messages';
import type { SensorProfile } from '@headrace/demo/profile';
import { decodedObject, encodePayload } from './payloads.ts';

/**
 * What ChirpStack v4 publishes in JSON (`integration.proto` of chirpstack-api 4): uplinks, the join before a device's first one, and the
 * answer to its daily question for battery and signal margin. Members of the value zero are left out, as its encoder does.
 */
export type NetworkEvent =
  | { readonly kind: 'join'; readonly at: number }
  | {
      readonly kind: 'status';
      readonly at: number;
      /** dB of signal above what is needed. */
      readonly margin: number;
      /** `null` when the device can't tell. */
      readonly batteryPercent: number | null;
    };

/** Nobody decodes these for us: made up, as any gateway id is. */
const gatewayId = '24e124fffef5a1b2';
const windowMs = 1000;

export function uplinkEvent(
  item: SensorItem,
  device: SensorProfile,
  of: { applicationId: string; fCnt: number },
): object {
  const { lorawan } = device;
  const payload =
    lorawan?.encoding === 'raw'
      ? { fPort: lorawan.fPort, data: encodePayload(lorawan.format, item.values, device.serialNumber) }
      : { fPort: 2, object: decodedObject(item.values, device.mapping ?? []) };
  return {
    ...header(device, of.applicationId, Date.parse(item.at), `${of.fCnt}`),
    ...(of.fCnt > 0 && { fCnt: of.fCnt }),
    ...payload,
    rxInfo: [{ gatewayId, rssi: -98, snr: 6.5 }],
    txInfo: { frequency: 917_000_000 },
  };
}

export function networkEvent(device: SensorProfile, applicationId: string, event: NetworkEvent): object {
  switch (event.kind) {
    case 'join':
      return {
        ...header(device, applicationId, event.at, 'join'),
        devAddr: `01${device.mac.slice(-6).toLowerCase()}`,
      };
    case 'status':
      return {
        ...header(device, applicationId, event.at, `status-${Math.floor(event.at / windowMs)}`),
        margin: event.margin,
        ...(event.batteryPercent === null
          ? { batteryLevelUnavailable: true }
          : { batteryLevel: event.batteryPercent }),
      };
    default:
      return event satisfies never;
  }
}

function header({ mac, name }: SensorProfile, applicationId: string, at: number, id: string): object {
  const devEui = mac.toLowerCase();
  return {
    deduplicationId: `${devEui}-${id}`,
    time: new Date(at).toISOString().replace('Z', '000000+00:00'),
    deviceInfo: { applicationId, deviceName: name, devEui },
  };
}
