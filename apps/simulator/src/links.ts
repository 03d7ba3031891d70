import type { FieldMapping } from '@headrace/device/field-mapping';
import type { SensorItem, SensorValues } from '@headrace/device/messages';
import { parsePath } from '@headrace/device/paths';
import type { GatewayMessageKind } from '@headrace/device/topics';

/** A way to the server: a gateway's connection or a network server's. */
export type GatewayLink = {
  /** Connected, and not so far behind that readings should wait. */
  readonly isReady: () => boolean;
  /** Resolves when the broker has acknowledged. */
  readonly publish: (kind: GatewayMessageKind, body: object) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type NetworkServerLink = {
  readonly isReady: () => boolean;
  readonly publish: (item: SensorItem, mapping: FieldMapping, deviceName: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** What a sensor's own codec would have decoded: the mapping, backwards. */
export function decodedObject(values: SensorValues, mapping: FieldMapping): object {
  const object: Record<string, unknown> = {};
  for (const { path, metric, scale = 1, offset = 0, text } of mapping) {
    const value = values[metric];
    if (value === undefined) continue;
    const word = text && Object.entries(text).find(([, meaning]) => meaning === value)?.[0];
    const raw =
      word ?? (typeof value === 'number' ? Math.round(((value - offset) / scale) * 1e6) / 1e6 : value);
    place(object, parsePath(path) ?? [path], raw);
  }
  return object;
}

function place(object: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [name = '', ...rest] = steps;
  if (rest.length === 0) object[name] = value;
  else place((object[name] ??= {}) as Record<string, unknown>, rest, value);
}

export function chirpstackUplink(
  item: SensorItem,
  mapping: FieldMapping,
  of: { deviceName: string; applicationId: string; fCnt: number },
): object {
  return {
    deduplicationId: `${item.mac.toLowerCase()}-${of.fCnt}`,
    time: item.at.replace('Z', '000000+00:00'),
    deviceInfo: {
      applicationId: of.applicationId,
      deviceName: of.deviceName,
      devEui: item.mac.toLowerCase(),
    },
    fCnt: of.fCnt,
    fPort: 2,
    object: decodedObject(item.values, mapping),
    rxInfo: [{ gatewayId: '24e124fffef5a1b2', rssi: -98, snr: 6.5 }],
    txInfo: { frequency: 917_000_000 },
  };
}
