import type { Pool, PoolClient } from 'pg';
import type { UsageLimits } from '@headrace/contract/limits';
import type { Timezone } from '@headrace/contract/farms';
import type { GatewayAnswer, Settled, ValveReport } from '../commands/answers.ts';
import type { ClockWatch } from './clock-watch.ts';
import type { TurnOptions } from './fair-turns.ts';
import type { LetterBounds } from './letter-bounds.ts';
import type { StatusEvent } from './status-events.ts';
import type { HeldPart } from './uplink.ts';
import type { UplinkDecoder } from './uplink-decoder.ts';

export interface IngestOptions {
  pool: Pool;
  now: () => Date;
  log: IngestLog;
  /** Runs the payload codecs of sensors. */
  decoder?: UplinkDecoder;
  /** What they may use of each minute; as much as usual unless said. */
  decodingMs?: TurnOptions['msPerMinute'];
  /** After each commit, what changed. */
  onCommitted: (events: StatusEvent[]) => void;
  /** Answers of gateways and reports of valves, to be kept in the same transaction; what it returns is handed to `onSettled` after it. */
  settle?: (
    client: PoolClient,
    answers: GatewayAnswer[],
    valves: ValveReport[],
    now: Date,
  ) => Promise<Settled>;
  onSettled?: (settled: Settled) => void;
  /** After a gateway's hello is committed. */
  onHello?: (gateway: GreetingGateway) => void;
  retentionDays: number;
  /** Hears the times of senders; without it our own clock is taken to be right. */
  clock?: ClockWatch;
  /** What farms and accounts may write; as much as usual unless said. */
  limits?: UsageLimits;
  /** What is kept of messages that were not taken; as much as usual unless said. */
  letterBounds?: LetterBounds;
  /** A batch is written when this many readings wait, or after this many milliseconds. */
  flushRows?: number;
  flushMs?: number;
}

export interface IngestLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface GreetingGateway {
  farmId: number;
  farmUid: string;
  deviceId: number;
  uid: string;
  mac: string;
  zone: Timezone;
  bootId: string;
  receivedAt: Date;
}

export type IngestMetrics = Record<
  | 'messages'
  | 'acknowledged'
  | 'ignoredMessages'
  | 'readings'
  | 'repeatedReadings'
  | 'lateReadings'
  | 'deadLetters'
  | 'unknownAcks'
  | 'commits'
  | 'failures'
  | 'waiting',
  number
>;

/** A part of a message, and what to do when it is committed. */
export interface Held extends HeldPart {
  settled(): void;
}
