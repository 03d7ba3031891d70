import type { IPublishPacket } from 'mqtt-packet';
import type { BrokerSession } from './broker-session.ts';
import type { DeviceMessage, TransportLog } from './transport.ts';
import type { HeldBudget } from './held-budget.ts';

export const SENDER = { kind: 'broker' } as const;

export interface BrokerIntakeOptions {
  held: HeldBudget;
  clock: () => Date;
  log: TransportLog;
  deliver: (message: DeviceMessage) => void;
  /** Who hears what on topics that are no device's. */
  ownTopics: ReadonlyMap<string, (text: string) => void>;
}

/** What the broker sends is passed on, acknowledged once it is stored, and waited with when too much is held. */
export function createBrokerIntake({ held, clock, log, deliver, ownTopics }: BrokerIntakeOptions) {
  /** The session that is paused until there is room. */
  let waiting: BrokerSession | undefined;

  function take(own: BrokerSession, packet: IPublishPacket): void {
    const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
    const hear = ownTopics.get(packet.topic);
    if (hear) {
      hear(payload.toString('latin1'));
      acknowledge(own, packet);
      return;
    }
    pass(own, packet, payload);
    if (!held.hasRoom()) waitForRoom(own);
  }

  function pass(own: BrokerSession, packet: IPublishPacket, payload: Buffer): void {
    const { topic, retain: retained } = packet;
    let isSettled = false;
    held.take(payload.length);
    const settle = () => {
      if (isSettled) return false;
      isSettled = true;
      held.release(payload.length);
      return true;
    };
    const ack = () => {
      if (settle()) acknowledge(own, packet);
    };
    try {
      deliver({ topic, payload, sender: SENDER, retained, receivedAt: clock(), ack });
    } catch (error) {
      log('message not taken', { topic, error });
      settle();
      own.end('message not taken');
    }
  }

  function waitForRoom(own: BrokerSession): void {
    if (waiting === own) return;
    waiting = own;
    own.pause();
    held.whenRoom(() => {
      waiting = undefined;
      if (held.hasRoom()) own.resume();
      else waitForRoom(own);
    });
  }

  return { take };
}

function acknowledge(own: BrokerSession, { qos, messageId }: IPublishPacket): void {
  if (qos > 0) own.send({ cmd: 'puback', ...(messageId !== undefined && { messageId }) });
}
