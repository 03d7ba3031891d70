import { useNow } from '../ui/clock.ts';
import { isSubscriptionExpired } from './subscription.ts';
import { useSession } from './use-session.ts';

/** Whether the person's own subscription has ended. Delegates have none: their farms' owners do. */
export function useIsSuspended(): boolean {
  const { type, subscriptionValidUntil } = useSession();
  const now = useNow();
  return type === 'SUBSCRIBER' && isSubscriptionExpired(subscriptionValidUntil, now);
}
