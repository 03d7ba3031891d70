import type { KnownDevice } from './device-directory.ts';
import type { Decoding, NetworkPart } from './uplink.ts';

/** Decodes one payload with the sensor's codec, in a bounded time. */
export type DecodeUplink = (device: KnownDevice, uplink: NetworkPart['uplink']) => Promise<Decoding>;

export interface UplinkDecoder {
  /** How many payloads it decodes at the same time. */
  readonly threads: number;
  /** Reads what it takes to decode for these; rejects while the database can't be read. */
  load(devices: readonly KnownDevice[]): Promise<DecodeUplink>;
}

/** Where no codec can be run. */
export const noDecoder: UplinkDecoder = {
  threads: 1,
  load: async () => async () => ({ ok: false, reason: 'no codec can be run here' }),
};
