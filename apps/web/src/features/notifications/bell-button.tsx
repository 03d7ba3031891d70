import { useQuery } from '@tanstack/react-query';
import { IconBell } from '@tabler/icons-react';
import { CountBadge, HeaderButton, type HeaderButtonProps } from '../../ui/header-button.tsx';
import { notificationsQuery } from './notifications.queries.ts';

/** More than this is "99+". */
const COUNTED = 99;

/** With the count of unread notifications. */
export function BellButton(props: HeaderButtonProps) {
  // The live connection brings them as soon as it opens; asking as well would be once too often.
  const { data } = useQuery({ ...notificationsQuery, enabled: false });
  const count = data?.count ?? 0;
  return (
    <HeaderButton
      aria-label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
      title="Notifications"
      {...props}
    >
      <IconBell size={21} stroke={1.8} aria-hidden="true" />
      {count > 0 && <CountBadge>{count > COUNTED ? `${COUNTED}+` : count}</CountBadge>}
    </HeaderButton>
  );
}
