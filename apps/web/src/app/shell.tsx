import { Outlet } from '@tanstack/react-router';
import { useSession } from '../features/accounts/use-session.ts';
import { ToastHost } from '../ui/toast-host.tsx';
import { Header } from './header.tsx';
import { SignedIn } from './signed-in.tsx';
import { useOfflineNotice } from './use-offline-notice.ts';
import { usePageChange } from './use-page-change.ts';
import classes from './shell.module.css';

/** What stands round every page. */
export function Shell() {
  const { logged } = useSession();
  useOfflineNotice();
  usePageChange();
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      {logged && <Header />}
      <main id="main" tabIndex={-1} className={classes.main} data-bare={!logged || undefined}>
        {logged ? (
          <SignedIn>
            <Outlet />
          </SignedIn>
        ) : (
          <Outlet />
        )}
      </main>
      <ToastHost />
    </>
  );
}
