import { lazy, Suspense, useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { RELOAD_CHECK_MS } from '@headrace/contract/limits';
import type { StoredSettings } from '@headrace/contract/settings';
import { permissionsQuery } from '../access/permissions.ts';
import { useKeepCurrentFarm } from '../farm/current-farm.ts';
import { useMendPush } from '../features/notifications/use-mend-push.ts';
import { SettingsHost } from '../features/settings/settings-host.tsx';
import { bringUpToDate, settingsQuery, useSettings } from '../preferences/settings.queries.ts';
import { Failed } from '../ui/state-view.tsx';
import { TipsShown } from '../ui/tips-shown.ts';
import { PageSkeleton } from './page-skeleton.tsx';
import { useAccessChanges } from './use-access-changes.ts';
import { useLive } from './use-live.ts';
import classes from './shell.module.css';

const VersionDialog = lazy(() => import('./version-dialog.tsx').then((m) => ({ default: m.VersionDialog })));
const RELOADED_KEY = 'headrace.reloaded';

/** The live connection, and the pages once settings and permissions are there. */
export function SignedIn({ children }: { children: ReactNode }) {
  const { isOutdated } = useLive();
  const permissions = useQuery(permissionsQuery);
  const settings = useQuery(settingsQuery);
  const { displayTooltips } = useSettings();
  const isFirstThere = useFirstPage();
  const isKnown = permissions.data !== undefined && settings.data !== undefined;
  const isReady = isKnown && isFirstThere;
  // The page is drawn in slices: in one go it would hold up a slow phone.
  const isShown = useDeferredValue(isReady, false);
  const error = permissions.error ?? settings.error;
  useReloadOnce(!isKnown && error === null);
  useKeepCurrentFarm();
  useMendPush();
  useAccessChanges(permissions.data);
  useUpToDate(settings.data);
  return (
    <TipsShown value={displayTooltips ?? true}>
      {isReady && isShown ? (
        children
      ) : error ? (
        <div className={classes.center}>
          <Failed
            text="Your settings and permissions couldn't be loaded"
            error={error}
            onRetry={() => void Promise.all([permissions.refetch(), settings.refetch()])}
            isRetrying={permissions.isFetching || settings.isFetching}
          />
        </div>
      ) : (
        <PageSkeleton />
      )}
      {isReady && isShown && <SettingsHost />}
      {isOutdated && (
        <Suspense>
          <VersionDialog />
        </Suspense>
      )}
    </TipsShown>
  );
}

/** Whether the first page is there: drawn by the router when it comes, it would be drawn in one go. */
function useFirstPage(): boolean {
  const [isThere, setIsThere] = useState(false);
  const isPending = useRouterState({
    select: ({ isLoading, matches }) => isLoading && matches.some(({ status }) => status === 'pending'),
  });
  if (!isThere && !isPending) setIsThere(true);
  return isThere || !isPending;
}

/** Reloads a page whose settings and permissions are late, once per tab: a slow link must not reload for ever. */
function useReloadOnce(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      if (!navigator.onLine || sessionStorage.getItem(RELOADED_KEY)) return;
      sessionStorage.setItem(RELOADED_KEY, '1');
      location.reload();
    }, RELOAD_CHECK_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);
}

/** Settings that an older version of the app stored are brought up to this one's form. */
function useUpToDate(stored: StoredSettings | undefined): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (stored) bringUpToDate(queryClient, stored);
  }, [queryClient, stored]);
}
