import { USAGE_LIMITS } from '@headrace/contract/limits';
import { maxMessageBytes } from '@headrace/device/messages';
import type { DeviceMessage, OversizeReport } from '../../mqtt/transport.ts';
import { createBatcher } from './batcher.ts';
import { createBatchWriter } from './batch-writer.ts';
import { allOfflineText } from './gateway-writer.ts';
import { createCorrector } from './decode-anew.ts';
import { createDecodeQueue } from './decode-queue.ts';
import { createDeviceDirectory } from './device-directory.ts';
import type { Held, IngestMetrics, IngestOptions } from './ingest-options.ts';
import { createSeriesDirectory } from './series-directory.ts';
import { readUplink, type UplinkMessage } from './uplink.ts';
import { noDecoder } from './uplink-decoder.ts';
import { createUplinkStore } from './uplink-store.ts';
import { createUsageCounter } from './usage-counter.ts';

export interface Ingest {
  /** Takes the message, and acknowledges it once all of it, or its dead letters, is committed. Never throws. */
  accept(message: DeviceMessage): void;
  /** Takes a kept message once more: null when all of it was taken, else why not. Rejects after `withinMs` without an answer. */
  replay(message: UplinkMessage, withinMs?: number): Promise<string | null>;
  /** Resolves when the dead letter of a message too large is committed. */
  oversize(report: OversizeReport): Promise<void>;
  /** Writes what is waiting, and what farms wrote; false when that took longer than `withinMs` (10 s unless said). */
  drain(withinMs?: number): Promise<boolean>;
  /** Decodes what is stored and waits for its codecs, wherever it was taken in, or no longer: one server does. */
  decode(does: boolean): void;
  /** There is something to decode that wasn't taken in here. */
  wakeDecoding(): void;
  /** Tries no more to write what can't be written, nor to decode; what farms wrote is counted. */
  stop(): Promise<void>;
  /** Devices of the farm, or of any, were added, changed or removed. */
  forget(farmId?: number): void;
  /** To be called when the embedded broker starts: nobody is connected yet. */
  markAllOffline(): Promise<void>;
  metrics(): IngestMetrics;
  /** Age of the oldest message that is not acknowledged, ms; 0 for none. */
  oldestWaitingMs(): number;
}

const DRAIN_MS = 10_000;
const REPLAY_MS = 30_000;
/** About what a reading takes in a gateway's message: `{"mac":…,"at":…,"values":{"levelMm":1234}}`. */
const BYTES_PER_READING = 80;

const nothingYet = (): IngestMetrics => ({
  messages: 0,
  acknowledged: 0,
  ignoredMessages: 0,
  readings: 0,
  repeatedReadings: 0,
  lateReadings: 0,
  deadLetters: 0,
  unknownAcks: 0,
  commits: 0,
  failures: 0,
  waiting: 0,
});

/** From device messages to committed rows; storage.md and docs/device-protocol.md say why it is as it is. */
export function createIngest(options: IngestOptions): Ingest {
  const { pool, log } = options;
  const counts = nothingYet();
  /** In the order in which they came. */
  const unsettled = new Set<UplinkMessage>();
  const devices = createDeviceDirectory(pool, options.now);
  const { limits = USAGE_LIMITS } = options;
  const series = createSeriesDirectory(pool, { most: limits.farmSeries, now: options.now });
  const decodeQueue = createDecodeQueue({
    pool,
    log,
    devices,
    decoder: options.decoder ?? noDecoder,
    corrector: createCorrector({ pool, series, now: options.now, onCommitted: options.onCommitted }),
    giveBack: (held) => decodedBatcher.add({ rows: 1, open: () => [held] }),
    ...(options.decodingMs && { msPerMinute: options.decodingMs }),
  });
  const store = createUplinkStore({ pool, log, onWaiting: decodeQueue.wake });
  const usage = createUsageCounter(pool, options.now, log);
  const writer = createBatchWriter(options, counts, { devices, series, store, usage });
  const newBatcher = () =>
    createBatcher<Held>({
      flushRows: options.flushRows ?? 1000,
      flushMs: options.flushMs ?? 20,
      rowsOf: ({ part }) => (part.kind === 'item' ? part.readings.length : 1),
      commit: writer.commit,
      setAside: (held, error) =>
        held.part.kind === 'problem'
          ? null
          : { ...held, part: { kind: 'problem', reason: `could not be stored: ${String(error)}` } },
      onFailure(error, remedy, parts) {
        counts.failures += 1;
        writer.forget();
        log.warn({ err: error, remedy, parts }, 'batch of device messages not stored yet');
      },
    });
  const batcher = newBatcher();
  // What is decoded has been acknowledged: nobody waits behind it.
  const decodedBatcher = newBatcher();

  /** What a message holds; one that holds nothing to store is acknowledged at once. */
  function open(message: UplinkMessage & { ack(): void }): Held[] {
    const { topic, parts } = readUplink(message);
    let left = parts.length;
    const settled = () => {
      left -= 1;
      if (left > 0) return;
      counts.acknowledged += 1;
      unsettled.delete(message);
      message.ack();
    };
    if (parts.length === 0) {
      counts.ignoredMessages += 1;
      settled();
    }
    return parts.map((part) => ({ message, topic, part, settled }));
  }

  return {
    accept(message) {
      counts.messages += 1;
      unsettled.add(message);
      batcher.add({
        rows: Math.ceil(message.payload.length / BYTES_PER_READING),
        open: () => open(message),
      });
    },
    replay(message, withinMs = REPLAY_MS) {
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('the database did not take it in time')), withinMs);
        const ack = () => {
          clearTimeout(late);
          resolve(message.replay?.refused ?? null);
        };
        batcher.add({
          rows: Math.ceil(message.payload.length / BYTES_PER_READING),
          open: () => open({ ...message, ack }),
        });
      });
    },
    oversize(report) {
      const reason = `message has ${report.bytes} bytes, at most ${maxMessageBytes} are read`;
      const message = { ...report, payload: report.head, retained: false };
      return new Promise((settled) => {
        const part = { kind: 'problem', reason } as const;
        batcher.add({
          rows: 1,
          open: () => [{ message, topic: null, part, wholeBytes: report.bytes, settled }],
        });
      });
    },
    async drain(withinMs = DRAIN_MS) {
      const isStored = await Promise.all([batcher.drain(withinMs), decodedBatcher.drain(withinMs)]);
      if (!isStored.every(Boolean)) return false;
      await usage.flush();
      return true;
    },
    decode: decodeQueue.work,
    wakeDecoding: decodeQueue.wake,
    async stop() {
      batcher.stop();
      decodedBatcher.stop();
      await decodeQueue.stop();
      await store.done();
      await usage.stop();
    },
    forget: (farmId) => writer.forget(farmId),
    markAllOffline: async () => void (await pool.query(allOfflineText)),
    metrics: () => ({ ...counts, waiting: batcher.waiting() }),
    oldestWaitingMs() {
      const [oldest] = unsettled;
      return oldest ? Math.max(0, options.now().getTime() - oldest.receivedAt.getTime()) : 0;
    },
  };
}
