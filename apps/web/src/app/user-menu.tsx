import { Menu, SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconLogout, IconRefresh } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { signOut } from '../api/session.ts';
import { isSubscriptionExpired } from '../features/accounts/subscription.ts';
import { useSession } from '../features/accounts/use-session.ts';
import { useNow } from '../ui/clock.ts';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { useRefresh } from './header.tsx';
import shell from './shell.module.css';
import classes from './user-menu.module.css';

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

const initials = (name: string) =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('');

export function UserMenu() {
  const { name, email, type, subscriptionValidUntil } = useSession();
  const isMobile = useIsMobile();
  const now = useNow();
  const isSuspended = type === 'SUBSCRIBER' && isSubscriptionExpired(subscriptionValidUntil, now);
  const { refresh } = useRefresh();
  return (
    <Menu width={280} position="bottom-end" radius="lg">
      <Menu.Target>
        <button type="button" className={shell.icon} aria-label={`Account of ${name || email}`}>
          <span className={shell.initials}>{initials(name || email)}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown p={8}>
        <div className={classes.who}>
          <div className={classes.name}>{name}</div>
          <div className={classes.mail}>{email}</div>
          {isSuspended && (
            <div className={classes.suspended}>
              <ConditionDot condition="issue" label={null} /> Account Suspended
            </div>
          )}
        </div>
        <Menu.Divider />
        <Appearance />
        <Menu.Divider />
        {isMobile && (
          <Menu.Item h={44} leftSection={<IconRefresh size={18} stroke={1.7} />} onClick={refresh}>
            Refresh
          </Menu.Item>
        )}
        <SignOut />
      </Menu.Dropdown>
    </Menu>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.scheme}>
      <span id="appearance">Appearance</span>
      <SegmentedControl
        fullWidth
        aria-labelledby="appearance"
        data={schemes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      />
    </div>
  );
}

function SignOut() {
  const navigate = useNavigate();
  const leave = async () => {
    // The token ends on the server as well; if that can't be reached, this browser forgets it all the same.
    const goodbye = call('POST /account/logout').catch(() => undefined);
    await navigate({ to: '/' });
    signOut('asked');
    await goodbye;
  };
  return (
    <Menu.Item h={44} leftSection={<IconLogout size={18} stroke={1.7} />} onClick={() => void leave()}>
      Sign Out
    </Menu.Item>
  );
}
