import { lazy, Suspense, useState } from 'react';
import { Popover } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconBell } from '@tabler/icons-react';
import shell from '../../app/shell.module.css';
import { notificationsQuery } from './notifications.queries.ts';

const NotificationList = lazy(() =>
  import('./notification-list.tsx').then((m) => ({ default: m.NotificationList })),
);
/** More than this is "99+". */
const COUNTED = 99;

/** The header's bell with the count of unread notifications; it opens the newest ones. */
export function Bell() {
  const [isOpen, setIsOpen] = useState(false);
  // The live connection brings them as soon as it opens; asking as well would be once too often.
  const { data } = useQuery({ ...notificationsQuery, enabled: false });
  const count = data?.count ?? 0;
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width="min(400px, calc(100vw - 16px))"
      position="bottom-end"
      radius="lg"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button
          type="button"
          className={shell.icon}
          aria-label={count > 0 ? `Notifications, ${count} unread` : 'Notifications'}
          title="Notifications"
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconBell size={21} stroke={1.8} aria-hidden="true" />
          {count > 0 && (
            <span className={shell.badge} aria-hidden="true">
              {count > COUNTED ? `${COUNTED}+` : count}
            </span>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <Suspense fallback={<div style={{ minHeight: 240 }} aria-busy="true" />}>
          <NotificationList onLeave={() => setIsOpen(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
