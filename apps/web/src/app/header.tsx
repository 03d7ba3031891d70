import { lazy, Suspense, useSyncExternalStore } from 'react';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useIsSuspended } from '../features/accounts/use-is-suspended.ts';
import { useSession } from '../features/accounts/use-session.ts';
import { useCurrentFarm } from '../features/farms/current-farm.ts';
import { Logo } from '../ui/logo.tsx';
import { toast, useToasts } from '../ui/toasts.ts';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { ClearIcon, ChevronIcon, RefreshIcon, TopIcon } from './header-icons.tsx';
import classes from './shell.module.css';

const Bell = lazy(() => import('../features/notifications/bell.tsx').then((m) => ({ default: m.Bell })));
const HeaderSearch = lazy(() =>
  import('../features/search/header-search.tsx').then((m) => ({ default: m.HeaderSearch })),
);
const FarmSwitcher = lazy(() => import('./farm-switcher.tsx').then((m) => ({ default: m.FarmSwitcher })));
const SuspendedBanner = lazy(() =>
  import('./suspended-banner.tsx').then((m) => ({ default: m.SuspendedBanner })),
);
const MissingDetails = lazy(() =>
  import('../features/accounts/missing-details.tsx').then((m) => ({ default: m.MissingDetails })),
);
const SupportBanner = lazy(() =>
  import('../features/support/support-banner.tsx').then((m) => ({ default: m.SupportBanner })),
);
const UserMenu = lazy(() => import('./user-menu.tsx').then((m) => ({ default: m.UserMenu })));

export function Header() {
  const farm = useCurrentFarm();
  const isMobile = useIsMobile();
  const isSuspended = useIsSuspended();
  const { hasMobile, isStaff } = useSession();
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
            <Suspense fallback={<FarmButtonShape name={farm.name} />}>
              <FarmSwitcher />
            </Suspense>
          )}
          <div className={classes.space} />
          <Suspense fallback={<span className={classes.icon} />}>
            <HeaderSearch />
          </Suspense>
          <ClearAlerts />
          <ScrollToTop />
          {!isMobile && <Refresh />}
          <Suspense fallback={<span className={classes.icon} />}>
            <Bell />
          </Suspense>
          <Suspense fallback={<span className={classes.icon} />}>
            <UserMenu />
          </Suspense>
        </div>
      </header>
      {isSuspended && (
        <Suspense>
          <SuspendedBanner />
        </Suspense>
      )}
      {isStaff && (
        <Suspense>
          <SupportBanner />
        </Suspense>
      )}
      {!hasMobile && (
        <Suspense>
          <MissingDetails />
        </Suspense>
      )}
    </>
  );
}

/** The switcher's shape until its code is there. */
function FarmButtonShape({ name }: { name: string }) {
  return (
    <div className={[classes.pill, classes.farm].join(' ')}>
      <span>{name}</span>
      <ChevronIcon />
    </div>
  );
}

export function useRefresh(): { refresh: () => void; isRefreshing: boolean } {
  const queryClient = useQueryClient();
  const router = useRouter();
  const refresh = () => {
    void queryClient.invalidateQueries();
    void router.invalidate();
  };
  return { refresh, isRefreshing: useIsFetching() > 0 };
}

function Refresh() {
  const { refresh, isRefreshing } = useRefresh();
  return (
    <button
      type="button"
      className={classes.icon}
      aria-label="Refresh"
      title="Refresh"
      data-turning={isRefreshing || undefined}
      onClick={refresh}
    >
      <RefreshIcon />
    </button>
  );
}

function ClearAlerts() {
  const count = useToasts().length;
  if (count === 0) return null;
  return (
    <button
      type="button"
      className={classes.icon}
      aria-label="Clear alerts"
      title="Clear alerts"
      onClick={toast.clear}
    >
      <ClearIcon />
      <span className={classes.badge} aria-hidden="true">
        {count}
      </span>
    </button>
  );
}

function followScroll(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true });
  return () => removeEventListener('scroll', listener);
}

function ScrollToTop() {
  const isDown = useSyncExternalStore(followScroll, () => scrollY > innerHeight);
  if (!isDown) return null;
  const scroll = () => scrollTo({ top: 0, behavior: 'smooth' });
  return (
    <button
      type="button"
      className={classes.icon}
      aria-label="Scroll to top"
      title="Scroll to top"
      onClick={scroll}
    >
      <TopIcon />
    </button>
  );
}
