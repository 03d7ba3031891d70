import { maxMessageBytes } from '@headrace/device/messages';
import type { DeviceMessage, OversizeReport } from '../../mqtt/door.ts';
import { createBatcher } from './batcher.ts';
import { createBatchWriter } from './batch-writer.ts';
import { allOfflineText } from './gateway-writer.ts';
import { createDecodeStage } from './decode-stage.ts';
import type { Held, IngestMetrics, IngestOptions } from './ingest-options.ts';
import { readUplink } from './uplink.ts';

export interface Ingest {
  /** Takes the message, and acknowledges it once all of it, or its dead letters, is committed. Never throws. */
  accept(message: DeviceMessage): void;
  /** Resolves when the dead letter of a message too large is committed. */
  oversize(report: OversizeReport): Promise<void>;
  /** Writes what is waiting; false when that took longer than `withinMs` (10 s unless said). */
  drain(withinMs?: number): Promise<boolean>;
  /** Tries no more to write what can't be written. */
  stop(): void;
  /** Devices of the farm, or of any, were added, changed or removed. */
  forget(farmId?: number): void;
  /** To be called when the embedded broker starts: nobody is connected yet. */
  markAllOffline(): Promise<void>;
  metrics(): IngestMetrics;
  /** Age of the oldest message that is not acknowledged, ms; 0 for none. */
  oldestWaitingMs(): number;
}

const DRAIN_MS = 10_000;
/** About what a reading takes in a gateway's message: `{"mac":…,"at":…,"values":{"levelMm":1234}}`. */
const BYTES_PER_READING = 80;

/** From device messages to committed rows; storage.md and docs/device-protocol.md say why it is as it is. */
export function createIngest(options: IngestOptions): Ingest {
  const { pool, log } = options;
  const counts: IngestMetrics = {
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
  };
  /** In the order in which they came. */
  const unsettled = new Set<DeviceMessage>();
  const decodeStage = createDecodeStage((held) => batcher.add({ rows: 1, open: () => [held] }));
  const writer = createBatchWriter(options, counts, decodeStage);
  const batcher = createBatcher<Held>({
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

  /** What has been decoded goes through a batch again. */
  async function drain(withinMs: number): Promise<boolean> {
    const until = performance.now() + withinMs;
    const left = () => Math.max(0, until - performance.now());
    for (;;) {
      const nothingToDecode = decodeStage.isIdle();
      if (!(await batcher.drain(left()))) return false;
      if (nothingToDecode && decodeStage.isIdle()) return true;
      if (!(await decodeStage.settle(left()))) return false;
    }
  }

  /** What a message holds; one that holds nothing to store is acknowledged at once. */
  function open(message: DeviceMessage): Held[] {
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
    drain: (withinMs = DRAIN_MS) => drain(withinMs),
    stop: () => batcher.stop(),
    forget: (farmId) => writer.forget(farmId),
    markAllOffline: async () => void (await pool.query(allOfflineText)),
    metrics: () => ({ ...counts, waiting: batcher.waiting() }),
    oldestWaitingMs() {
      const [oldest] = unsettled;
      return oldest ? Math.max(0, options.now().getTime() - oldest.receivedAt.getTime()) : 0;
    },
  };
}
