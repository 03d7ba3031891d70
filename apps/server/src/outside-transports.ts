import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { topicFilters } from '@headrace/device/topics';
import type { Config } from './config.ts';
import type { DeviceMessage, TransportStatus, MqttTransport } from './mqtt/transport.ts';
import { createExternalBroker, type ExternalBrokerOptions } from './mqtt/external-broker.ts';

export interface OutsideTransports extends MqttTransport {
  /** Takes what devices say, or no longer: of the servers behind a broker one does, and the others speak to devices only. */
  takeUplinks(takes: boolean): void;
  /** It takes them and has had no connection for a while, or none yet. */
  isStuck(): boolean;
  /** It takes them, and the session with what waits is open. */
  hasSession(): boolean;
}

interface OutsideTransportsOptions
  extends Pick<
    ExternalBrokerOptions,
    'url' | 'tls' | 'clientId' | 'onOversize' | 'log' | 'clock' | 'stopWithinMs' | 'reconnectMs'
  > {
  stuckAfterMs?: number;
  /** The session that the broker keeps is open; `isNew`: it had kept none. */
  onSession?: (session: { isNew: boolean }) => void;
  /** What the broker says of its queue. */
  hints?: ExternalBrokerOptions['hints'];
}

/** Longer than the longest wait between two attempts to connect. */
const STUCK_AFTER_MS = 45_000;

const { gatewayState, ...uplinks } = topicFilters;
/**
 * Not of a server but of the installation: whichever server takes the uplinks finds here what came while none did. The
 * broker keeps it over its own restarts too, as it does not keep shared subscriptions (docs/decisions/0024).
 */
const UPLINKS = 'headrace-uplinks';
const STATES = 'headrace-states';
const ONE_INSTALLATION = 'two installations can not share a broker: give each its own';
const heartbeatOf = (clientId: string) => `headrace/live/heartbeat/${clientId}`;

/**
 * The connections to an outside broker: one for what this server says, and on the server that takes the uplinks two more.
 * What devices say waits in a session that the broker keeps: what was not acknowledged comes again. States of gateways need
 * none, since each one's last is retained, and one that waited in a session would be old news told as new.
 */
export function createOutsideTransports({
  onSession,
  hints,
  ...options
}: OutsideTransportsOptions): OutsideTransports {
  const speaking = createExternalBroker({
    ...options,
    ...(hints && { hints }),
    clean: true,
    filters: [],
    heartbeat: heartbeatOf(options.clientId),
  });
  /** Null: it is not known yet whether this server takes the uplinks. */
  let taking: MqttTransport[] | null = null;
  let droppedBefore: TransportStatus['dropped'] = {};
  /** When all of `taking` were last seen connected. */
  let connectedAt = 0;
  let deliver: (message: DeviceMessage) => void = () => undefined;
  let isOpen = false;

  const openTaking = () => [
    createExternalBroker({
      ...options,
      clientId: UPLINKS,
      filters: Object.values(uplinks),
      heartbeat: heartbeatOf(UPLINKS),
      usedTwice: ONE_INSTALLATION,
      ...(onSession && { onConnected: onSession }),
    }),
    createExternalBroker({
      ...options,
      clientId: STATES,
      clean: true,
      filters: [gatewayState],
      usedTwice: ONE_INSTALLATION,
    }),
  ];

  async function endTaking(): Promise<void> {
    const former = taking ?? [];
    taking = [];
    droppedBefore = sumOf([droppedBefore, ...former.map((transport) => transport.status().dropped)]);
    await Promise.all(former.map((transport) => transport.stop()));
  }

  return {
    ...speaking,

    async start(onMessage) {
      deliver = onMessage;
      isOpen = true;
      await speaking.start(onMessage);
    },

    async stop() {
      isOpen = false;
      await endTaking();
      await speaking.stop();
    },

    takeUplinks(takes) {
      void endTaking();
      if (!takes || !isOpen) return;
      taking = openTaking();
      connectedAt = performance.now();
      for (const transport of taking) void transport.start(deliver);
    },

    isStuck() {
      if ((taking ?? []).every((transport) => transport.status().connected)) connectedAt = performance.now();
      return performance.now() - connectedAt > (options.stuckAfterMs ?? STUCK_AFTER_MS);
    },

    hasSession: () => taking?.[0]?.status().connected ?? false,

    status() {
      const all = [speaking, ...(taking ?? [])].map((transport) => transport.status());
      return {
        connected: taking !== null && all.every(({ connected }) => connected),
        held: all.reduce((sum, { held }) => sum + held, 0),
        lagMs: Math.max(...all.map(({ lagMs }) => lagMs)),
        trouble: all.find(({ trouble }) => trouble !== null)?.trouble ?? null,
        dropped: sumOf([droppedBefore, ...all.map(({ dropped }) => dropped)]),
      };
    },
  };
}

function sumOf(counts: readonly TransportStatus['dropped'][]): TransportStatus['dropped'] {
  const sum: TransportStatus['dropped'] = {};
  for (const [reason, count] of counts.flatMap(Object.entries<number>))
    sum[reason] = (sum[reason] ?? 0) + count;
  return sum;
}

/** The same over restarts and another for every server: a broker ends the older of two connections of one name. */
export function brokerClientId({ serverName, dataDir }: Pick<Config, 'serverName' | 'dataDir'>): string {
  const name =
    serverName ?? createHash('sha256').update(`${hostname()} ${dataDir}`).digest('hex').slice(0, 12);
  return `headrace-${name}`;
}
