import { gatewayDownTopic } from '@headrace/device/topics';
import type { MqttTransport } from '../../mqtt/transport.ts';
import type { Receiver } from './deliver.repo.ts';
import type { DownMessage } from './down-messages.ts';

export interface PublisherOptions {
  publish: MqttTransport['publish'];
  /** A broker that takes longer is given up for this turn, ms. */
  publishWithinMs?: number;
}

const WITHIN_MS = 10_000;

/** Hands a message for a gateway to the broker; throws where that does not take it in time. */
export const createPublisher =
  ({ publish, publishWithinMs = WITHIN_MS }: PublisherOptions) =>
  ({ mac }: Pick<Receiver, 'mac'>, { kind, body }: DownMessage): Promise<void> =>
    within(publish(gatewayDownTopic(mac, kind), JSON.stringify(body)), publishWithinMs);
export type Publish = ReturnType<typeof createPublisher>;

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the broker did not take the message in time')), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // Taken after all, or refused later: both show in the gateway's answer or its next hello.
    work.catch(() => {});
  }
}
