import { randomBytes } from 'node:crypto';
import type { RecordKind, ServerFrame } from '@headrace/contract/live';
import type { Right } from '@headrace/contract/permissions';
import type { DeviceMessage } from '../mqtt/transport.ts';
import { createExternalBroker, type ExternalBrokerOptions } from '../mqtt/external-broker.ts';
import { readEnvelope } from './news-schema.ts';

/** A frame about a farm, for every connection that has one of the rights there. */
export interface LiveEvent {
  farmId: number;
  frame: ServerFrame;
  anyOf: readonly Right[];
}

/** What one server has to tell the others. Hashes of session tokens are in hex. */
export type News =
  | { kind: 'farm'; event: LiveEvent }
  | { kind: 'account'; accountId: number; frame: ServerFrame; except?: string | undefined }
  | { kind: 'session-ended'; tokenHash: string }
  /** The session goes on with another token. */
  | { kind: 'session-renewed'; tokenHash: string }
  | { kind: 'access-changed'; accountId: number }
  | { kind: 'notifications-changed'; accountId: number }
  | { kind: 'devices-changed'; farmId: number }
  /** What people enter about the farm; `page` is the open page that did it. By the database, as every server hears it. */
  | { kind: 'records-changed'; farmId: number; record: RecordKind; page?: string | undefined }
  | { kind: 'sender-disconnected'; senderKey: string }
  /** Some of it could not be told: the broker was away for too long. */
  | { kind: 'incomplete' };

export interface LiveListener {
  /** Never rejects; resolves when it is done with. */
  onNews(news: News): void | Promise<void>;
  /** News may have been missed: whatever is remembered because of it has to be read again. */
  onGap(): void;
}

/** Carries news to the other servers on the same database. Who tells does its own part itself and hears no echo. */
export interface LiveBus {
  tell(news: News): void;
  listen(listener: LiveListener): void;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Why news may not reach the other servers; null when it does. */
  trouble(): string | null;
}

/** One server alone: there is nobody to tell. */
export function createLocalBus(): LiveBus {
  const nothing = () => undefined;
  const nothingLater = () => Promise.resolve();
  return { tell: nothing, listen: nothing, start: nothingLater, stop: nothingLater, trouble: () => null };
}

export type MqttBusOptions = Pick<ExternalBrokerOptions, 'url' | 'tls' | 'clientId' | 'log' | 'reconnectMs'>;

/** News gathers for this long before it is sent, ms. */
const GATHER_MS = 10;
/** A message on the bus, well under the transport's limit of 256 KiB. */
const MAX_MESSAGE_BYTES = 64 * 1024;
const MAX_NEWS_BYTES = 200 * 1024;

/**
 * Over the broker that all servers share, under `headrace/live/<kind>`, where only servers may publish. QoS 1 on a
 * connection of its own that keeps nothing: what is held back by a busy ingest can't delay it, and what was missed while
 * away is not told late but made good by reading anew (onGap).
 */
export function createMqttBus(options: MqttBusOptions): LiveBus {
  const from = randomBytes(8).toString('hex');
  const log = options.log ?? (() => undefined);
  const listeners: LiveListener[] = [];
  let gathered: Gathered[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isIncomplete = false;

  const transport = createExternalBroker({
    ...options,
    clean: true,
    filters: ['headrace/live/+'],
    onConnected: gap,
    onOversize: ({ topic, bytes }) => log('live news not read', { topic, bytes }),
  });

  function gap(): void {
    for (const listener of listeners) listener.onGap();
  }

  function hear({ topic, payload, ack }: DeviceMessage): void {
    ack();
    const envelope = readEnvelope(payload);
    if (envelope === null) log('live news not read', { topic, bytes: payload.length });
    else if (envelope.from !== from) for (const news of envelope.news) pass(news);
  }

  function pass(news: News): void {
    if (news.kind === 'incomplete') gap();
    else for (const listener of listeners) void listener.onNews(news);
  }

  function send(): void {
    timer = undefined;
    const waiting = gathered;
    gathered = [];
    if (isIncomplete) {
      isIncomplete = false;
      waiting.unshift(gather({ kind: 'incomplete' }));
    }
    for (const { kind, texts } of inMessages(waiting)) publish(kind, texts);
  }

  function publish(kind: string, texts: readonly string[]): void {
    const payload = `{"from":"${from}","news":[${texts.join(',')}]}`;
    transport.publish(`headrace/live/${kind}`, payload).catch((error: unknown) => {
      isIncomplete = true;
      log('live news not sent', { error });
    });
  }

  return {
    tell(news) {
      const next = gather(news);
      // Its browsers show it when they load anew; not worth sending all others away.
      if (next.bytes > MAX_NEWS_BYTES)
        return log('live news too large', { kind: news.kind, bytes: next.bytes });
      gathered.push(next);
      timer ??= setTimeout(send, GATHER_MS);
    },

    listen: (listener) => void listeners.push(listener),

    start: () => transport.start(hear),

    async stop() {
      clearTimeout(timer);
      send();
      await transport.stop();
    },

    trouble: () => transport.status().trouble,
  };
}

interface Gathered {
  kind: News['kind'];
  text: string;
  bytes: number;
}

function gather(news: News): Gathered {
  const text = JSON.stringify(news);
  return { kind: news.kind, text, bytes: Buffer.byteLength(text) };
}

/** Neighbours of one kind share a message, as far as its size goes; the order stays. */
function* inMessages(waiting: readonly Gathered[]): Iterable<{ kind: string; texts: string[] }> {
  let open: { kind: string; texts: string[]; bytes: number } | undefined;
  for (const { kind, text, bytes } of waiting) {
    if (open && (open.kind !== kind || open.bytes + bytes > MAX_MESSAGE_BYTES)) {
      yield open;
      open = undefined;
    }
    open ??= { kind, texts: [], bytes: 0 };
    open.texts.push(text);
    open.bytes += bytes;
  }
  if (open) yield open;
}
