import { connect, type MqttClient } from 'mqtt';
import type { Log } from '../log.ts';
import type { Scheduler } from '../scheduler.ts';
import type { ConnectGate } from './connect-gate.ts';
import { createOutbox } from './outbox.ts';

export type MqttLinkOptions = {
  readonly url: string;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly will?: { readonly topic: string; readonly payload: string };
  readonly log: Log;
  readonly scheduler: Scheduler;
  readonly gate: ConnectGate;
  /** After every connect, before anything that waits is sent. */
  readonly greet: (send: Publish, client: MqttClient) => Promise<void>;
  readonly onMessage?: (topic: string, payload: Uint8Array) => void;
};

export type Publish = (topic: string, body: object, retain?: boolean) => Promise<void>;

export type MqttLink = {
  readonly isReady: () => boolean;
  /** Resolves when the broker has acknowledged: what is on its way when the connection breaks is sent again. */
  readonly publish: Publish;
  /** Drops the connection without a goodbye. It stays away until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Says goodbye with `last`, one second at most, and never comes back. */
  readonly stop: (last?: (send: Publish) => Promise<void>) => Promise<void>;
};

const firstRetryMs = 1000;
const longestRetryMs = 30_000;
const goodbyeMs = 1000;
/** Unacknowledged messages above which live readings wait to be sent late instead. */
const behindAt = 100;

/** One MQTT 3.1.1 connection with a clean session, that comes back by itself: after 1 s, 2 s, 4 s… a minute, each time a little off the beat. */
export function openMqttLink(options: MqttLinkOptions): MqttLink {
  const { log, clientId, scheduler, gate } = options;
  const outbox = createOutbox();
  let client: MqttClient | null = null;
  let isGreeted = false;
  let isPaused = false;
  let isStopped = false;
  let isKnocking = false;
  let failures = 0;

  function knock(): void {
    if (isKnocking || client) return;
    isKnocking = true;
    gate.enter((leave) => {
      isKnocking = false;
      if (isPaused || isStopped || client) leave();
      else begin(leave);
    });
  }

  function begin(leave: () => void): void {
    const own = connect(options.url, {
      protocolVersion: 4,
      clean: true,
      clientId,
      username: options.username,
      password: options.password,
      ...(options.will && {
        will: {
          topic: options.will.topic,
          payload: Buffer.from(options.will.payload),
          qos: 1 as const,
          retain: true,
        },
      }),
      keepalive: 30,
      connectTimeout: 20_000,
      // Coming back is our own business: one scheduler and one gate for all.
      reconnectPeriod: 0,
      resubscribe: false,
    });
    client = own;
    const gone = (): void => {
      leave();
      if (client === own) lose();
    };
    own.on('connect', () => {
      leave();
      void welcome(own);
    });
    own.on('error', (error) => {
      // Said once: an absent broker is no news the second time.
      if (failures === 0) log.warn({ clientId, reason: error.message }, 'connection failed, trying again');
      gone();
    });
    own.on('close', gone);
    own.on('message', (topic, payload) => {
      if (client === own) options.onMessage?.(topic, payload);
    });
  }

  async function welcome(own: MqttClient): Promise<void> {
    try {
      const send: Publish = async (topic, body, retain = false) => {
        await own.publishAsync(topic, JSON.stringify(body), { qos: 1, retain });
      };
      await options.greet(send, own);
      if (client !== own) return;
      isGreeted = true;
      failures = 0;
      outbox.sendAll(own);
    } catch (error) {
      if (client !== own) return;
      log.warn({ clientId, reason: String(error) }, 'greeting failed');
      lose();
    }
  }

  /** Ends the present connection without a word: the broker publishes its will. */
  function drop(): void {
    const old = client;
    client = null;
    isGreeted = false;
    old?.stream.destroy();
  }

  function lose(): void {
    drop();
    if (isPaused || isStopped) return;
    const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** failures);
    failures += 1;
    scheduler.add(Date.now() + wait * (0.75 + Math.random() / 2), knock);
  }

  knock();
  return {
    isReady: () => isGreeted && outbox.size() < behindAt,
    publish: (topic, body, retain = false) =>
      outbox.add({ topic, payload: JSON.stringify(body), retain }, isGreeted ? client : null),
    pause: () => {
      isPaused = true;
      drop();
    },
    resume: () => {
      isPaused = false;
      if (!isStopped) knock();
    },
    stop: async (last) => {
      isStopped = true;
      const own = client;
      if (own?.connected && isGreeted && last) {
        const send: Publish = async (topic, body, retain = false) => {
          await own.publishAsync(topic, JSON.stringify(body), { qos: 1, retain });
        };
        await Promise.race([last(send).catch(() => undefined), pause(goodbyeMs)]);
      }
      drop();
      outbox.fail(new Error('the simulator stops'));
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
