import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { topicFilters } from '@headrace/device/topics';
import type { Config } from './config.ts';
import type { DeviceMessage, MqttDoor } from './mqtt/door.ts';
import { createExternalBroker, type ExternalBrokerOptions } from './mqtt/external-broker.ts';

export interface OutsideDoors extends MqttDoor {
  /** Hears who is online, from now on or no longer. */
  listenToStates(listens: boolean): void;
  /** Stores what the broker keeps for another server and ends its share; true when nothing is left. */
  adopt(clientId: string): Promise<boolean>;
}

interface OutsideDoorsOptions
  extends Pick<
    ExternalBrokerOptions,
    'url' | 'tls' | 'clientId' | 'onOversize' | 'log' | 'clock' | 'stopWithinMs'
  > {
  adoptWithinMs?: number;
}

/** Most of what waits is stored in a fraction of this; what is left is for the next try, ms. */
const ADOPT_WITHIN_MS = 10_000;
const { gatewayState, ...shared } = topicFilters;
const plainFilters = Object.values(shared);
/** Every server takes a share of what devices say. */
const sharedFilters = plainFilters.map((filter) => `$share/ingest/${filter}`);
const heartbeatOf = (clientId: string) => `headrace/live/heartbeat/${clientId}`;

/**
 * The connections to an outside broker. The main one has a session that the broker keeps: what was not acknowledged comes
 * again. States of gateways need none, since each one's last is retained, and one that waited in a session would be old
 * news told as new; they are heard by one server, in order.
 */
export function createOutsideDoors(options: OutsideDoorsOptions): OutsideDoors {
  const { clientId } = options;
  const main = createExternalBroker({
    ...options,
    filters: sharedFilters,
    // As a server without others would have asked for them: they would bring everything once more.
    formerFilters: [...plainFilters, gatewayState],
    heartbeat: heartbeatOf(clientId),
  });
  let states: MqttDoor | undefined;
  let deliver: (message: DeviceMessage) => void = () => undefined;
  let isOpen = false;

  function listenToStates(listens: boolean): void {
    const former = states;
    states = undefined;
    void former?.stop();
    if (!listens || !isOpen) return;
    states = createExternalBroker({
      ...options,
      clientId: `${clientId}-states`,
      clean: true,
      filters: [gatewayState],
    });
    void states.start(deliver);
  }

  return {
    ...main,

    async start(onMessage) {
      deliver = onMessage;
      isOpen = true;
      await main.start(onMessage);
    },

    async stop() {
      isOpen = false;
      await states?.stop();
      await main.stop();
    },

    listenToStates,

    async adopt(otherId) {
      if (!isOpen) return false;
      const door = createExternalBroker({
        ...options,
        clientId: otherId,
        filters: [],
        formerFilters: [...sharedFilters, ...plainFilters, gatewayState],
        heartbeat: heartbeatOf(otherId),
      });
      await door.start(deliver);
      const isEmpty = await door.caughtUp(options.adoptWithinMs ?? ADOPT_WITHIN_MS);
      await door.stop();
      return isEmpty;
    },
  };
}

/** The same over restarts and another for every server: the broker keeps our session under it. */
export function brokerClientId({ serverName, dataDir }: Pick<Config, 'serverName' | 'dataDir'>): string {
  const name =
    serverName ?? createHash('sha256').update(`${hostname()} ${dataDir}`).digest('hex').slice(0, 12);
  return `headrace-${name}`;
}
