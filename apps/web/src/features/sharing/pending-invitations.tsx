import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useNow } from '../../ui/clock.ts';
import { useSession } from '../../session/use-session.ts';
import { stateOf } from './invite-labels.ts';
import { invitesQuery } from './sharing.queries.ts';
import classes from './pending-invitations.module.css';

/** On an agent's home page: the invitations that wait for an answer, and the way to them. Nothing where there is none. */
export function PendingInvitations() {
  const isAgent = useSession().type === 'AGENT';
  const { data: invites = [] } = useQuery({ ...invitesQuery, enabled: isAgent });
  const now = useNow();
  const pending = isAgent ? invites.filter((invite) => stateOf(invite, now) === 'pending').length : 0;
  if (pending === 0) return null;
  return (
    <p className={classes.line}>
      {pending === 1 ? 'An invitation awaits your response.' : `${pending} invitations await your response.`}{' '}
      <Link to="/invitations" className={classes.way}>
        {pending === 1 ? 'See it' : 'See them'}
      </Link>
    </p>
  );
}
