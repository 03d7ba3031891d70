import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DECODING_MS_PER_MINUTE } from '@headrace/contract/limits';
import type { Corrector, Redecoded } from './decode-anew.ts';
import type { DeviceDirectory, KnownDevice } from './device-directory.ts';
import { type DueHeld, readDue, waitingFarms } from './due-uplinks.ts';
import { createFairTurns, type TurnOptions, type Worker } from './fair-turns.ts';
import type { Held, IngestLog } from './ingest-options.ts';
import { devicesAskedFor } from './interpret.ts';
import { needsCodec } from './read-payload.ts';
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

/** What a farm has at hand. More is read when all of it is stored. */
interface FarmWork extends Worker {
  readonly waiting: DueHeld[];
  readonly readAt: number;
  unstored: number;
  again: Redecoded[];
}

const POLL_MS = 2000;
/** A farm's uplinks in memory are read again after this time, ms: other sensors may have sent, or a codec was corrected. */
const FRESH_MS = 1000;
/** Farms whose uplinks are in memory at the same time. */
const FARMS = 16;
/** After a fault of the database, or of a thread. */
const REST_MS = 1000;
/** So many corrections in one transaction. */
const CORRECTIONS = 50;

/**
 * Decodes stored uplinks, sharing the time fairly between farms and accounts. If the server ends before the result is stored, the uplink
 * still waits when this or another server starts.
 */
export function createDecodeQueue(options: DecodeQueueOptions): DecodeQueue {
  const { pool, log, decoder, devices, giveBack, corrector, pollMs = POLL_MS } = options;
  const turns = createFairTurns({ msPerMinute: options.msPerMinute ?? DECODING_MS_PER_MINUTE });
  const farms = new Map<number, FarmWork>();
  const sensors = createSensorTurns();
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
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
    const accounts = new Set<number>();
    const wanted = turns
      .ranked(await waitingFarms(pool))
      .filter(({ accountId }) => accounts.size < accounts.add(accountId).size)
      .slice(0, FARMS);
    for (const farm of farms.values()) if (!wanted.some(({ farmId }) => farmId === farm.farmId)) giveUp(farm);
    const next = wanted.filter(({ farmId }) => !farms.has(farmId));
    if (next.length === 0 || !isOn) return;
    const readAt = performance.now();
    const due = await readDue(
      pool,
      next.map(({ farmId }) => farmId),
    );
    for (const { farmId, accountId } of next) {
      const waiting = sensors.inTurn(due.filter((held) => held.due.farmId === farmId));
      if (waiting.length > 0)
        farms.set(farmId, { farmId, accountId, waiting, readAt, unstored: 0, again: [] });
    }
  }

  /** Nothing is lost: it waits where it is stored. */
  function giveUp(farm: FarmWork): void {
    farm.waiting.length = 0;
    letGo(farm);
  }

  const rest = () => sleep(REST_MS, undefined, { signal: stopped.signal }).catch(() => {});

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

  /** The time that the codec took, ms. */
  async function run(farm: FarmWork, held: DueHeld): Promise<number> {
    const device = await deviceOf(held);
    const { part } = held;
    if (part.kind !== 'network' || !device || !needsCodec(part, device)) {
      pass(farm, held, device);
      return 0;
    }
    const decode = await decoder.load([device]);
    const started = performance.now();
    const decoding = await decode(device, part.uplink);
    const usedMs = performance.now() - started;
    if (!decoding.ok && decoding.isUntried) throw new Error(decoding.reason);
    pass(farm, { ...held, part: { ...part, decoding, tookMs: Math.round(usedMs) } }, device);
    return usedMs;
  }

  async function deviceOf(held: DueHeld): Promise<KnownDevice | null> {
    const [query] = devicesAskedFor(held, () => undefined);
    const find = await devices.load(query ? [query] : []);
    return (query && find(query)) ?? null;
  }

  function pass(farm: FarmWork, held: DueHeld, device: KnownDevice | null): void {
    const settled = () => {
      farm.unstored -= 1;
      letGo(farm);
    };
    if (!held.due.anew) return giveBack({ ...held, settled });
    farm.again.push({ held, device });
    if (farm.again.length >= CORRECTIONS) void correct(farm);
  }

  async function correct(farm: FarmWork): Promise<void> {
    const batch = farm.again.splice(0);
    try {
      await corrector(batch);
    } catch (error) {
      log.warn({ err: error, farmId: farm.farmId }, 'what was decoded anew is not stored yet');
      await rest();
    }
    farm.unstored -= batch.length;
    letGo(farm);
  }

  /** When all of it is stored the farm's next are read. */
  function letGo(farm: FarmWork): void {
    if (farm.waiting.length === 0 && farm.again.length > 0 && farm.unstored === farm.again.length)
      void correct(farm);
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

const SENSORS = 20_000;

/** Which sensor of a farm had its turn when: however often what waits is read anew, the one that waits longest is next. */
function createSensorTurns() {
  const served = new Map<number, number>();
  let turn = 0;
  return {
    served(deviceId: number): void {
      served.delete(deviceId);
      served.set(deviceId, (turn += 1));
      if (served.size > SENSORS) for (const oldest of served.keys()) return void served.delete(oldest);
    },
    inTurn(waiting: readonly DueHeld[]): DueHeld[] {
      const before = ({ due }: DueHeld) => served.get(due.deviceId) ?? 0;
      return waiting.toSorted(
        (a, b) => Number(a.due.anew) - Number(b.due.anew) || a.turn - b.turn || before(a) - before(b),
      );
    },
  };
}
