import type { DeviceDirectory, KnownDevice } from './device-directory.ts';
import type { DueHeld } from './due-uplinks.ts';
import { devicesAskedFor } from './interpret.ts';
import { needsCodec } from './read-payload.ts';
import type { UplinkDecoder } from './uplink-decoder.ts';

export interface DecodedHeld {
  decoded: DueHeld;
  /** null: it is gone. */
  device: KnownDevice | null;
  /** The time that the codec took, ms. */
  usedMs: number;
}

/** Decodes one stored uplink by the codec of its sensor. Throws where nothing was tried. */
export function createHeldDecoder(decoder: UplinkDecoder, devices: DeviceDirectory) {
  async function deviceOf(held: DueHeld): Promise<KnownDevice | null> {
    const [query] = devicesAskedFor(held, () => undefined);
    const find = await devices.load(query ? [query] : []);
    return (query && find(query)) ?? null;
  }

  return async (held: DueHeld): Promise<DecodedHeld> => {
    const device = await deviceOf(held);
    const { part } = held;
    if (part.kind !== 'network' || !device || !needsCodec(part, device))
      return { decoded: held, device, usedMs: 0 };
    const decode = await decoder.load([device]);
    const started = performance.now();
    const decoding = await decode(device, part.uplink);
    const usedMs = performance.now() - started;
    if (!decoding.ok && decoding.isUntried) throw new Error(decoding.reason);
    const decoded = { ...held, part: { ...part, decoding, tookMs: Math.round(usedMs) } };
    return { decoded, device, usedMs };
  };
}
