import type { ComponentProps } from 'react';
import { useQuery } from '@tanstack/react-query';
import { IconBell, IconSearch } from '@tabler/icons-react';
import { useSession } from '../features/accounts/use-session.ts';
import { useCurrentFarm } from '../features/farms/current-farm.ts';
import { notificationsQuery } from '../features/notifications/notifications.queries.ts';
import { ChevronIcon } from './header-icons.tsx';
import classes from './shell.module.css';

/** The header's buttons as they are before, and after, what they open is there. */
type ButtonProps = ComponentProps<'button'>;

/** What opens beside a button gives it a class of its own, often an empty one: it keeps its look besides. */
function HeaderButton({ look, className, ...props }: ButtonProps & { look: string | undefined }) {
  return <button type="button" className={[look, className].filter(Boolean).join(' ')} {...props} />;
}

export function FarmButton(props: ButtonProps) {
  const name = useCurrentFarm()?.name ?? '';
  return (
    <HeaderButton
      look={[classes.pill, classes.farm].join(' ')}
      aria-label={`Current farm: ${name}. Choose another`}
      {...props}
    >
      <span>{name}</span>
      <ChevronIcon />
    </HeaderButton>
  );
}

export function SearchButton(props: ButtonProps) {
  return (
    <HeaderButton look={classes.icon} aria-label="Search devices" {...props}>
      <IconSearch size={21} stroke={1.8} aria-hidden="true" />
    </HeaderButton>
  );
}

/** More than this is "99+". */
const COUNTED = 99;

/** With the count of unread notifications. */
export function BellButton(props: ButtonProps) {
  // The live connection brings them as soon as it opens; asking as well would be once too often.
  const { data } = useQuery({ ...notificationsQuery, enabled: false });
  const count = data?.count ?? 0;
  return (
    <HeaderButton
      look={classes.icon}
      aria-label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
      title="Notifications"
      {...props}
    >
      <IconBell size={21} stroke={1.8} aria-hidden="true" />
      {count > 0 && (
        <span className={classes.badge} aria-hidden="true">
          {count > COUNTED ? `${COUNTED}+` : count}
        </span>
      )}
    </HeaderButton>
  );
}

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('');

export function UserButton(props: ButtonProps) {
  const { name, email } = useSession();
  return (
    <HeaderButton look={classes.icon} aria-label={`Account of ${name || email}`} {...props}>
      <span className={classes.initials}>{initials(name || email)}</span>
    </HeaderButton>
  );
}
