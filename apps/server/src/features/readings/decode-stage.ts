import { setTimeout as sleep } from 'node:timers/promises';
import type { KnownDevice } from './device-directory.ts';
import type { Held } from './ingest-options.ts';
import type { Decoding, NetworkPart } from './uplink.ts';

/** Decodes one payload with the sensor's codec, in a bounded time. */
export type DecodeUplink = (device: KnownDevice, uplink: NetworkPart['uplink']) => Promise<Decoding>;

export interface UplinkDecoder {
  /** Reads what it takes to decode for these; rejects while the database can't be read. */
  load(devices: readonly KnownDevice[]): Promise<DecodeUplink>;
}

/** Where no codec can be run. */
export const noDecoder: UplinkDecoder = {
  load: async () => async () => ({ ok: false, reason: 'no codec can be run here' }),
};

/** An uplink that its sensor's codec has to decode before it can be stored. */
export interface Undecoded {
  readonly held: Held;
  readonly part: NetworkPart;
  readonly device: KnownDevice;
}

/** Beside the batches, so that what needs no codec never waits for one. */
export interface DecodeStage {
  take(undecoded: Undecoded, decode: DecodeUplink): void;
  isIdle(): boolean;
  /** True when nothing is left to decode, false when that took longer than `withinMs`. */
  settle(withinMs: number): Promise<boolean>;
}

/** `giveBack` takes what has been decoded, or the reason why it could not be. */
export function createDecodeStage(giveBack: (held: Held) => void): DecodeStage {
  const running = new Set<Promise<void>>();

  async function run({ held, part, device }: Undecoded, decode: DecodeUplink): Promise<void> {
    const decoding = await decode(device, part.uplink).catch(failed);
    giveBack({ ...held, part: { ...part, decoding } });
  }

  return {
    take(undecoded, decode) {
      const job = run(undecoded, decode).finally(() => running.delete(job));
      running.add(job);
    },
    isIdle: () => running.size === 0,
    async settle(withinMs) {
      const late = new AbortController();
      const timeUp = sleep(withinMs, false, { signal: late.signal }).catch(() => false);
      const isDone = await Promise.race([Promise.all(running).then(() => true), timeUp]);
      late.abort();
      return isDone;
    },
  };
}

function failed(error: unknown): Decoding {
  return { ok: false, reason: String(error) };
}
