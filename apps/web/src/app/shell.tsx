import { lazy, Suspense } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useSession } from '../session/use-session.ts';
import { Footer } from './footer.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { useLightPaper } from './use-light-paper.ts';
import { useOfflineNotice } from './use-offline-notice.ts';
import { usePageChange } from './use-page-change.ts';
import { usePushedLink } from './use-pushed-link.ts';
import classes from './shell.module.css';

/** Whoever isn't signed in does without it. */
const SignedIn = lazy(() => import('./signed-in.tsx').then((m) => ({ default: m.SignedIn })));
const Header = lazy(() => import('./header.tsx').then((m) => ({ default: m.Header })));
/** Toasts wait in their store until it is there. */
const ToastHost = lazy(() => import('../ui/toast-host.tsx').then((m) => ({ default: m.ToastHost })));

/** What stands round every page. */
export function Shell() {
  const { logged, mustChangePassword } = useSession();
  // Until there is a password of their own the server tells nothing of farms.
  const isIn = logged && !mustChangePassword;
  useLightPaper();
  useOfflineNotice();
  usePageChange();
  usePushedLink();
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      {isIn && (
        <Suspense fallback={<HeaderShape />}>
          <Header />
        </Suspense>
      )}
      <main id="main" tabIndex={-1} className={classes.main} data-bare={!isIn || undefined}>
        {isIn ? (
          <Suspense fallback={<PageSkeleton />}>
            <SignedIn>
              <Outlet />
            </SignedIn>
          </Suspense>
        ) : (
          <Outlet />
        )}
      </main>
      <Footer />
      <Suspense>
        <ToastHost />
      </Suspense>
    </>
  );
}

/** The header's place until its code is there. */
function HeaderShape() {
  return (
    <div className={classes.header}>
      <div className={classes.row} />
    </div>
  );
}
