import { type ComponentType, Suspense } from 'react';
import { Link } from '@tanstack/react-router';
import { MissingDetails } from '../features/accounts/missing-details.tsx';
import { useIsSuspended } from '../session/use-is-suspended.ts';
import { useSession } from '../session/use-session.ts';
import { useCurrentFarm } from '../farm/current-farm.ts';
import { BellButton } from '../features/notifications/bell-button.tsx';
import { HeaderSearch } from '../features/search/header-search.tsx';
import { CountBadge, HeaderButton } from '../ui/header-button.tsx';
import { lazyAgain } from '../ui/lazy-again.ts';
import { Logo } from '../ui/logo.tsx';
import { OnDemand } from '../ui/on-demand.tsx';
import { toast, useToasts } from '../ui/toasts.ts';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { useScrolledBeyond } from '../ui/use-scrolled.ts';
import { AwayBanner } from './away-banner.tsx';
import { FarmButton, UserButton } from './header-buttons.tsx';
import { ClearIcon, RefreshIcon, TopIcon } from './header-icons.tsx';
import { useRefresh } from './use-refresh.ts';
import classes from './shell.module.css';

const loadBell = async () => (await import('../features/notifications/bell.tsx')).Bell;
const loadFarmSwitcher = async () => (await import('./farm-switcher.tsx')).FarmSwitcher;
const loadUserMenu = async () => (await import('./user-menu.tsx')).UserMenu;

/** A banner whose code doesn't come is asked for again when the header is drawn the next time: pages are there without it. */
const bannerOf = (load: () => Promise<ComponentType>) => lazyAgain(load, () => null);
const suspended = bannerOf(async () => (await import('./suspended-banner.tsx')).SuspendedBanner);
const support = bannerOf(async () => (await import('../features/support/support-banner.tsx')).SupportBanner);
const secondStep = bannerOf(
  async () => (await import('../features/sharing/second-step-banner.tsx')).SecondStepBanner,
);

export function Header() {
  const farm = useCurrentFarm();
  const isMobile = useIsMobile();
  const isSuspended = useIsSuspended();
  const { hasMobile, isStaff, type } = useSession();
  const Suspended = suspended.current;
  const Support = support.current;
  const SecondStep = secondStep.current;
  return (
    <>
      <header className={classes.header}>
        <div className={classes.row}>
          <Link to="/" className={classes.brand} aria-label="Headrace, home">
            <Logo size={30} />
            <span>Headrace</span>
          </Link>
          {farm && <div className={classes.divider} />}
          {farm && (
            <OnDemand load={loadFarmSwitcher}>
              {(ask) => <FarmButton aria-haspopup="listbox" onClick={ask} />}
            </OnDemand>
          )}
          <div className={classes.space} />
          <HeaderSearch />
          <ClearAlerts />
          <ScrollToTop />
          {!isMobile && <Refresh />}
          <OnDemand load={loadBell}>{(ask) => <BellButton aria-haspopup="dialog" onClick={ask} />}</OnDemand>
          <OnDemand load={loadUserMenu}>
            {(ask) => <UserButton aria-haspopup="dialog" onClick={ask} />}
          </OnDemand>
        </div>
      </header>
      <AwayBanner />
      <Suspense>{isSuspended && <Suspended />}</Suspense>
      <Suspense>{isStaff && <Support />}</Suspense>
      <Suspense>{type === 'AGENT' && <SecondStep />}</Suspense>
      {!hasMobile && <MissingDetails />}
    </>
  );
}

function Refresh() {
  const { refresh, isRefreshing } = useRefresh();
  return (
    <HeaderButton
      aria-label="Refresh"
      title="Refresh"
      data-turning={isRefreshing || undefined}
      onClick={refresh}
    >
      <RefreshIcon />
    </HeaderButton>
  );
}

function ClearAlerts() {
  const count = useToasts().length;
  if (count === 0) return null;
  return (
    <HeaderButton aria-label="Clear alerts" title="Clear alerts" onClick={toast.clear}>
      <ClearIcon />
      <CountBadge>{count}</CountBadge>
    </HeaderButton>
  );
}

const screenHeight = () => innerHeight;

function ScrollToTop() {
  const isDown = useScrolledBeyond(screenHeight);
  if (!isDown) return null;
  const scroll = () => scrollTo({ top: 0, behavior: 'smooth' });
  return (
    <HeaderButton aria-label="Scroll to top" title="Scroll to top" onClick={scroll}>
      <TopIcon />
    </HeaderButton>
  );
}
