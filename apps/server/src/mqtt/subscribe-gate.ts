import type { AedesOptions, Client } from 'aedes';
import type { Counters } from './counters.ts';
import type { Sender } from './transport.ts';
import { maySubscribe } from './topic-rights.ts';

const MAX_SUBSCRIPTIONS = 32;

/** Who may hear what of the embedded broker, and how much. */
export function createSubscribeGate(
  senderOf: (client: Client) => Sender | undefined,
  counters: Counters,
): NonNullable<AedesOptions['authorizeSubscribe']> {
  return (client, subscription, done) => {
    const sender = senderOf(client);
    const { subscriptions } = client as Client & { subscriptions: Record<string, unknown> };
    const isAllowed =
      sender !== undefined &&
      maySubscribe(sender, subscription.topic) &&
      (sender.kind === 'server' || Object.keys(subscriptions).length < MAX_SUBSCRIPTIONS);
    if (!isAllowed) counters.add('foreignSubscription');
    done(null, isAllowed ? subscription : null);
  };
}
