import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DECODING_MS_PER_MINUTE } from '@headrace/contract/limits';
import { createCorrections } from './corrections.ts';
import type { Corrector } from './decode-anew.ts';
import type { DeviceDirectory } from './device-directory.ts';
import type { DueHeld } from './due-uplinks.ts';
import { createFairTurns, type TurnOptions } from './fair-turns.ts';
import type { FarmWork } from './farm-work.ts';
import { createHeldDecoder } from './held-decoder.ts';
import type { Held, IngestLog } from './ingest-options.ts';
import { createNextFarms } from './next-farms.ts';
import { createSensorTurns } from './sensor-turns.ts';
import type { UplinkDecoder } from './uplink-decoder.ts';

/** Decodes what was stored, wherever it was taken in. One server at a time does, beside the batches. */
export interface DecodeQueue {
  /** Begins, or ends once what runs has ended. */
  work(does: boolean): void;
  /** There may be something to decode. */
  wake(): void;
  stop(): Promise<void>;
}

export interface DecodeQueueOptions {
  pool: Pool;
  log: IngestLog;
  decoder: UplinkDecoder;
  devices: DeviceDirectory;
  /** Takes what has been decoded, or the reason why it could not be. */
  giveBack: (held: Held) => void;
  /** Takes what was decoded once more. */
  corrector: Corrector;
  msPerMinute?: TurnOptions['msPerMinute'];
  /** How often the database is asked without being woken, ms: other servers store and ask too. */
  pollMs?: number;
}

const POLL_MS = 2000;
/** A farm's uplinks in memory are read again after this time, ms: other sensors may have sent, or a codec was corrected. */
const FRESH_MS = 1000;
/** After a fault of the database, or of a thread. */
const REST_MS = 1000;

/**
 * Decodes stored uplinks, sharing the time fairly between farms and accounts. If the server ends before the result is stored, the uplink
 * still waits when this or another server starts.
 */
export function createDecodeQueue(options: DecodeQueueOptions): DecodeQueue {
  const { pool, log, decoder, devices, giveBack, corrector, pollMs = POLL_MS } = options;
  const turns = createFairTurns({ msPerMinute: options.msPerMinute ?? DECODING_MS_PER_MINUTE });
  const farms = new Map<number, FarmWork>();
  const sensors = createSensorTurns();
  const next = createNextFarms(pool, turns, sensors);
  const decode = createHeldDecoder(decoder, devices);
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
  const rest = () => sleep(REST_MS, undefined, { signal: stopped.signal }).catch(() => {});
  const corrections = createCorrections(corrector, { log, rest, stored });
  let isOn = false;
  let isWoken = false;
  let reading: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  function pump(): void {
    if (!isOn || stopped.signal.aborted) return;
    const ready = [...farms.values()].filter(({ waiting }) => waiting.length > 0);
    const inTurn = turns.inTurn(ready);
    for (const farm of inTurn) {
      if (running.size >= decoder.threads) break;
      const held = farm.waiting.shift();
      if (held) start(farm, held);
    }
    read();
    const rest = inTurn.length === 0 ? turns.restMs(ready) : 0;
    sleepFor(rest > 0 ? Math.min(rest, pollMs) : pollMs);
  }

  function sleepFor(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(wake, ms).unref();
  }

  function wake(): void {
    isWoken = true;
    pump();
  }

  /** What those need whose turn comes next; others give back what they have at hand. */
  function read(): void {
    if (!isWoken || reading) return;
    isWoken = false;
    reading = readMore()
      .catch(async (error: unknown) => {
        log.warn({ err: error }, 'stored uplinks not read yet');
        await rest();
      })
      .finally(() => {
        reading = null;
        pump();
      });
  }

  async function readMore(): Promise<void> {
    const wanted = await next.wanted();
    for (const farm of farms.values()) if (!wanted.some(({ farmId }) => farmId === farm.farmId)) giveUp(farm);
    const missing = wanted.filter(({ farmId }) => !farms.has(farmId));
    if (missing.length === 0 || !isOn) return;
    for (const farm of await next.read(missing)) farms.set(farm.farmId, farm);
  }

  /** Nothing is lost: it waits where it is stored. */
  function giveUp(farm: FarmWork): void {
    farm.waiting.length = 0;
    letGo(farm);
  }

  function start(farm: FarmWork, held: DueHeld): void {
    turns.begin(farm);
    sensors.served(held.due.deviceId);
    farm.unstored += 1;
    const started = performance.now();
    const job = run(farm, held)
      .then((usedMs) => turns.end(farm, usedMs))
      .catch(async (error: unknown) => {
        turns.end(farm, performance.now() - started);
        log.warn({ err: error, farmId: farm.farmId }, 'a stored uplink is not decoded yet');
        farm.waiting.length = 0;
        farm.unstored -= 1;
        await rest();
      })
      .finally(() => {
        running.delete(job);
        if (performance.now() - farm.readAt > FRESH_MS) giveUp(farm);
        else letGo(farm);
        pump();
      });
    running.add(job);
  }

  async function run(farm: FarmWork, held: DueHeld): Promise<number> {
    const { decoded, device, usedMs } = await decode(held);
    if (decoded.due.anew) corrections.add(farm, { held: decoded, device });
    else giveBack({ ...decoded, settled: () => stored(farm, 1) });
    return usedMs;
  }

  function stored(farm: FarmWork, count: number): void {
    farm.unstored -= count;
    letGo(farm);
  }

  /** When all of it is stored the farm's next are read. */
  function letGo(farm: FarmWork): void {
    if (farm.waiting.length === 0 && farm.again.length > 0 && farm.unstored === farm.again.length)
      void corrections.store(farm);
    if (farm.waiting.length > 0 || farm.unstored > 0 || farms.get(farm.farmId) !== farm) return;
    farms.delete(farm.farmId);
    wake();
  }

  return {
    work(does) {
      isOn = does;
      if (does) wake();
      else for (const farm of farms.values()) giveUp(farm);
    },
    wake,
    async stop() {
      isOn = false;
      stopped.abort();
      clearTimeout(timer);
      await Promise.all(running);
      await reading;
    },
  };
}
