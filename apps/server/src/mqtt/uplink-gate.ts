import type { Client, PublishPacket } from 'aedes';
import type { Counters } from './counters.ts';
import type { DeviceMessage, TransportLog, Sender } from './transport.ts';
import type { HeldBudget } from './held-budget.ts';
import type { LimitedConnection } from './limited-connection.ts';
import { isUplink, mayPublish, mayRetain } from './topic-rights.ts';

export interface UplinkGateOptions {
  senderOf(client: Client): Sender | undefined;
  onMessage(message: DeviceMessage): void;
  /** Publishes on a client's behalf when it is no longer there to be answered. */
  publish(packet: PublishPacket): void;
  allHeld: HeldBudget;
  counters: Counters;
  log: TransportLog;
  clock: () => Date;
}

type Callback = (error?: Error | null) => void;

/** A topic nobody may subscribe to: the broker acknowledges what is sent there, and it is gone. */
const NOWHERE = '$SYS/dropped';
const EMPTY = Buffer.alloc(0);

/**
 * The broker asks here before it acknowledges a message, and acknowledges once it is called back: so the call back waits
 * for the commit. (By the time a subscriber sees a message, its sender has already been told that it is safe.)
 */
export function createUplinkGate(options: UplinkGateOptions) {
  const { counters } = options;
  let isShut = false;

  function authorizePublish(client: Client | null, packet: PublishPacket, callback: Callback): void {
    // Only the broker's clean-up of wills asks like this. After a suspended machine wakes it would announce the living dead.
    if (client === null || ('brokerId' in packet && !client.closed)) {
      callback(new Error('not its will yet'));
      return;
    }
    const isWill = client.closed;
    const held = claim(client, packet, isWill);
    const sender = options.senderOf(client);
    const isForeign = sender === undefined || !mayPublish(sender, packet.topic);
    if (isForeign || (isWill && isShut)) {
      if (isForeign) counters.add('foreignTopic');
      dropQuietly(packet);
      held.release();
      callback(null);
      return;
    }
    packet.retain = packet.retain && mayRetain(sender, packet.topic);
    if (!isUplink(packet.topic)) {
      held.release();
      callback(null);
      return;
    }
    deliver(sender, packet, {
      ack: once(() => {
        held.release();
        // A client that left meanwhile can't be answered, but its last state still counts.
        if (client.closed && !isWill) options.publish(packet);
        else callback(null);
      }),
      giveBack: () => {
        held.release();
        client.close();
      },
    });
  }

  function deliver(
    sender: Sender,
    packet: PublishPacket,
    { ack, giveBack }: { ack(): void; giveBack(): void },
  ) {
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    const { topic } = packet;
    try {
      options.onMessage({ topic, payload, sender, retained: false, receivedAt: options.clock(), ack });
    } catch (error) {
      options.log('message not taken', { topic, error });
      giveBack();
    }
  }

  /** The room this message occupies: claimed when it was read, or now for a will, which nobody can make wait. */
  function claim(client: Client, packet: PublishPacket, isWill: boolean): { release(): void } {
    const ticket = isWill ? undefined : (client.conn as LimitedConnection).takeTicket();
    if (ticket !== undefined) {
      const { held } = client.conn as LimitedConnection;
      return { release: once(() => held.release(ticket)) };
    }
    const bytes = packet.payload.length;
    options.allHeld.take(bytes);
    return { release: once(() => options.allHeld.release(bytes)) };
  }

  return {
    authorizePublish,
    /** The clients are about to be closed by us: their wills say nothing about them. */
    shut(): void {
      isShut = true;
    },
  };
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}

function dropQuietly(packet: PublishPacket): void {
  packet.topic = NOWHERE;
  packet.payload = EMPTY;
  packet.retain = false;
}
