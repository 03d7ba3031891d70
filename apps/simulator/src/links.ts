import type { SensorItem } from '@headrace/device/messages';
import type { GatewayMessageKind } from '@headrace/device/topics';
import type { SensorProfile } from '@headrace/demo/profile';
import type { NetworkEvent } from './lorawan/chirpstack-events.ts';

/** A way to the server: a gateway's connection or a network server's. */
export type GatewayLink = {
  /** Connected, and not so far behind that readings should wait. */
  readonly isReady: () => boolean;
  /** Resolves when the broker has acknowledged. Order is kept; what waits goes out after the next hello. */
  readonly publish: (kind: GatewayMessageKind, body: object) => Promise<void>;
  /** Off and on again: offline by the will, then hello with another `bootId`. */
  readonly restart: () => void;
  readonly setDown: (down: boolean) => void;
  /** Leaves for good, with a goodbye where the link has one. */
  readonly stop: (inSilence: boolean) => Promise<void>;
};

export type NetworkServerLink = {
  readonly isReady: () => boolean;
  /** One uplink of a device; the first after a start is preceded by its join. */
  readonly publish: (item: SensorItem, device: SensorProfile) => Promise<void>;
  readonly publishEvent: (device: SensorProfile, event: NetworkEvent) => Promise<void>;
  /** Leaves for good, with a goodbye where the link has one. */
  readonly stop: (inSilence: boolean) => Promise<void>;
};
