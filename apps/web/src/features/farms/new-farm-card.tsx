import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useNow } from '../../ui/clock.ts';
import { isSubscriptionExpired } from '../../session/subscription.ts';
import { useSession } from '../../session/use-session.ts';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { ownersQuery } from './farm-edit.queries.ts';
import classes from './home.module.css';

/** Farms can be made here, the person's subscription holds, and an agent has an owner to make them for. */
export function useCanMakeFarms(): boolean {
  const { subscriptionValidUntil, type } = useSession();
  const isAgent = type === 'AGENT';
  const { data } = useQuery(globalSettingsQuery);
  const owners = useQuery({ ...ownersQuery, enabled: isAgent }).data ?? [];
  const now = useNow();
  if (isAgent && owners.length === 0) return false;
  return data?.newFarmCreationGlobal === true && !isSubscriptionExpired(subscriptionValidUntil, now);
}

/** The way to a new farm. */
export function NewFarmCard() {
  if (!useCanMakeFarms()) return null;
  return (
    <Link to="/farm/new" className={classes.newFarm}>
      <svg viewBox="0 0 24 24" width="26" height="26" aria-hidden="true">
        <path d="M12 5v14M5 12h14" stroke="currentcolor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      New Farm
    </Link>
  );
}
