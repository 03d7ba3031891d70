import type { Client } from 'aedes';
import type { Counters } from './counters.ts';
import type { TransportLog, OnOversize, Sender } from './transport.ts';
import type { HeldBudget } from './held-budget.ts';
import type { ConnectionOptions } from './limited-connection.ts';
import {
  type Amount,
  MAX_CONNECT_BYTES,
  MAX_CONTROL_BYTES,
  MAX_HELD_PER_CLIENT,
  MAX_PAYLOAD_BYTES,
  MAX_SKIM_BYTES,
  OVERSIZE_HEAD_BYTES,
} from './limits.ts';
import { mayPublish } from './topic-rights.ts';

interface Parts {
  readonly senderOf: (client: Client) => Sender | undefined;
  readonly onOversize: OnOversize;
  readonly maxHeldPerClient: Amount | undefined;
  readonly allHeld: HeldBudget;
  readonly counters: Counters;
  readonly log: TransportLog;
  readonly clock: () => Date;
}

/** What one connection may send, and what is done about more. */
export function connectionLimits({ counters, log, ...parts }: Parts): ConnectionOptions {
  return {
    frames: {
      maxPayload: MAX_PAYLOAD_BYTES,
      maxSkim: MAX_SKIM_BYTES,
      maxControl: MAX_CONTROL_BYTES,
      maxConnect: MAX_CONNECT_BYTES,
      headBytes: OVERSIZE_HEAD_BYTES,
    },
    maxHeld: parts.maxHeldPerClient ?? MAX_HELD_PER_CLIENT,
    allHeld: parts.allHeld,
    onViolation: (connection, reason) => {
      counters.add(reason);
      log('connection closed', { reason, address: connection.remoteAddress });
    },
    onOversize: async (connection, { topic, payloadBytes, head }) => {
      const client = (connection as { client?: Client }).client;
      const sender = client && parts.senderOf(client);
      if (sender === undefined || !mayPublish(sender, topic)) {
        counters.add('foreignTopic');
        return;
      }
      counters.add('oversize');
      await parts.onOversize({ sender, topic, bytes: payloadBytes, head, receivedAt: parts.clock() });
    },
  };
}
