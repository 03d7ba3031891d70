import type { ReactNode } from 'react';
import { Popover, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconBarcode,
  IconBellRinging,
  IconLifebuoy,
  IconLock,
  IconLogout,
  IconRefresh,
  IconSettings,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { signOut } from '../api/session.ts';
import { useIsSuspended } from '../session/use-is-suspended.ts';
import { useSession } from '../session/use-session.ts';
import type { SettingsSearch } from '../preferences/settings-search.ts';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { useSearchPatch } from '../ui/url-state.ts';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { useOpenAtOnce } from '../ui/use-open-at-once.ts';
import { Segmented } from '../ui/segmented.tsx';
import { UserButton } from './header-buttons.tsx';
import { useRefresh } from './use-refresh.ts';
import classes from './user-menu.module.css';

/** Holding them back takes an inline style, which the page's policy does not allow. */
const KEEP_TRANSITIONS = { keepTransitions: true };

const schemes: { value: MantineColorScheme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];

export function UserMenu() {
  const { name, email, type, isStaff } = useSession();
  const isMobile = useIsMobile();
  const isSuspended = useIsSuspended();
  const { refresh } = useRefresh();
  const { button, isOpen, setIsOpen } = useOpenAtOnce();
  const close = () => setIsOpen(false);
  const patch = useSearchPatch<SettingsSearch>();
  const openSettings = () => {
    close();
    patch({ settings: 'list' });
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width={280}
      position="bottom-end"
      radius="lg"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UserButton ref={button} onClick={() => setIsOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label="Account">
        <div className={classes.who}>
          <div className={classes.name}>{name}</div>
          <div className={classes.mail}>{email}</div>
          {isSuspended && (
            <div className={classes.suspended}>
              <ConditionDot condition="issue" label={null} /> Account Suspended
            </div>
          )}
        </div>
        <hr className={classes.rule} />
        <Appearance />
        <hr className={classes.rule} />
        {isMobile && (
          <Entry
            icon={<IconRefresh size={18} stroke={1.7} aria-hidden="true" />}
            text="Refresh"
            onClick={refresh}
          />
        )}
        {/* In the order of the specification. */}
        <Link to="/account-details" className={classes.entry} onClick={close}>
          <IconUser size={18} stroke={1.7} aria-hidden="true" />
          Account Details
        </Link>
        <Link to="/security" className={classes.entry} onClick={close}>
          <IconLock size={18} stroke={1.7} aria-hidden="true" />
          Password & Security
        </Link>
        <Link to="/invitations" className={classes.entry} onClick={close}>
          <IconUsers size={18} stroke={1.7} aria-hidden="true" />
          {type === 'AGENT' ? 'My Accesses' : 'Manage Access'}
        </Link>
        <Link to="/alerts" className={classes.entry} onClick={close}>
          <IconBellRinging size={18} stroke={1.7} aria-hidden="true" />
          Manage Alerts
        </Link>
        <Link to="/mac/lookup" className={classes.entry} onClick={close}>
          <IconBarcode size={18} stroke={1.7} aria-hidden="true" />
          MAC Address Lookup
        </Link>
        {isStaff && (
          <Link to="/support" className={classes.entry} onClick={close}>
            <IconLifebuoy size={18} stroke={1.7} aria-hidden="true" />
            Support
          </Link>
        )}
        <Entry
          icon={<IconSettings size={18} stroke={1.7} aria-hidden="true" />}
          text="Settings"
          onClick={openSettings}
        />
        <SignOut />
      </Popover.Dropdown>
    </Popover>
  );
}

function Entry({ icon, text, onClick }: { icon: ReactNode; text: string; onClick: () => void }) {
  return (
    <button type="button" className={classes.entry} onClick={onClick}>
      {icon}
      {text}
    </button>
  );
}

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme(KEEP_TRANSITIONS);
  return (
    <div className={classes.scheme}>
      <span id="appearance">Appearance</span>
      <Segmented
        fullWidth
        aria-labelledby="appearance"
        data={schemes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value)}
      />
    </div>
  );
}

function SignOut() {
  const navigate = useNavigate();
  const { clearColorScheme } = useMantineColorScheme(KEEP_TRANSITIONS);
  const leave = async () => {
    // The token ends on the server as well; if that can't be reached, this browser forgets it all the same.
    const goodbye = call('POST /account/logout').catch(() => undefined);
    await navigate({ to: '/' });
    signOut('asked');
    clearColorScheme();
    await goodbye;
  };
  return (
    <Entry
      icon={<IconLogout size={18} stroke={1.7} aria-hidden="true" />}
      text="Sign Out"
      onClick={() => void leave()}
    />
  );
}
