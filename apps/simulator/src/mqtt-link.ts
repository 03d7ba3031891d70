import { connect, type IClientOptions, type MqttClient } from 'mqtt';

export type Log = {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
};

export type MqttLinkOptions = {
  readonly url: string;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly will?: NonNullable<IClientOptions['will']>;
  readonly log: Log;
  /** After every connect. */
  readonly onConnect: (client: MqttClient) => Promise<void>;
  readonly onMessage?: (topic: string, payload: Uint8Array) => void;
};

export type MqttLink = {
  readonly isReady: () => boolean;
  readonly publish: (topic: string, body: object, retain?: boolean) => Promise<void>;
  /** Says goodbye after `last`, at most two seconds later. */
  readonly stop: (last?: () => Promise<void>) => Promise<void>;
};

const firstRetryMs = 1000;
const longestRetryMs = 60_000;
/** Unacknowledged messages above which live readings wait to be sent late instead. */
const behindAt = 100;

/** One MQTT 3.1.1 connection with a clean session, that comes back by itself: after 1 s, 2 s, 4 s… a minute, each time a little off the beat. */
export function openMqttLink(options: MqttLinkOptions): MqttLink {
  const { log, clientId } = options;
  let pending = 0;
  let attempts = 0;
  let greeted = false;
  const client = connect(options.url, {
    protocolVersion: 4,
    clean: true,
    clientId,
    username: options.username,
    password: options.password,
    ...(options.will && { will: options.will }),
    keepalive: 30,
    connectTimeout: 20_000,
    reconnectPeriod: firstRetryMs,
    // A wrong key may be right later: the demo's farms are seeded while we already knock.
    reconnectOnConnackError: true,
    resubscribe: false,
  });

  async function greet(): Promise<void> {
    try {
      await options.onConnect(client);
      greeted = true;
    } catch (error) {
      log.warn({ clientId, reason: String(error) }, 'greeting failed');
    }
  }

  const backOff = () => {
    const wait = Math.min(longestRetryMs, firstRetryMs * 2 ** attempts);
    client.options.reconnectPeriod = Math.round(wait * (0.75 + Math.random() / 2));
  };
  client.on('offline', () => {
    greeted = false;
    backOff();
  });
  client.on('reconnect', () => {
    attempts += 1;
    backOff();
  });
  client.on('error', (error) => log.warn({ clientId, reason: error.message, attempts }, 'connection failed'));
  client.on('connect', () => {
    attempts = 0;
    void greet();
  });
  client.on('message', (topic, payload) => options.onMessage?.(topic, payload));

  return {
    isReady: () => client.connected && greeted && pending < behindAt,
    publish: async (topic, body, retain = false) => {
      pending += 1;
      try {
        await client.publishAsync(topic, JSON.stringify(body), { qos: 1, retain });
      } finally {
        pending -= 1;
      }
    },
    stop: async (last) => {
      if (client.connected && last) await Promise.race([last().catch(() => undefined), pause(2000)]);
      await client.endAsync(true).catch(() => undefined);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
