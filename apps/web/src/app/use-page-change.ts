import { useEffect } from 'react';
import { useRouter } from '@tanstack/react-router';
import { call } from '../api/client.ts';

declare global {
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

/** Do Not Track and Global Privacy Control: nothing is sent. */
export function asksForPrivacy(): boolean {
  return navigator.doNotTrack === '1' || navigator.globalPrivacyControl === true;
}

/** Counts the page by its pattern (never its address), names the tab, and takes the focus to the new page. */
export function usePageChange(): void {
  const router = useRouter();
  useEffect(() => {
    let last: string | null = null;
    const arrive = () => {
      const { matches, location } = router.state;
      const leaf = matches.at(-1);
      const isKnown = leaf !== undefined && leaf.routeId !== '__root__';
      const title = isKnown ? leaf.staticData.title : 'Page not found';
      document.title = title ? `${title} · Headrace` : 'Headrace';
      if (location.pathname === last) return;
      if (last !== null) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
      last = location.pathname;
      if (asksForPrivacy()) return;
      // A count that is lost is no one's trouble.
      call('POST /analytics/page-view', { body: { key: isKnown ? leaf.fullPath : '/404' } }).catch(
        () => undefined,
      );
    };
    if (router.state.status === 'idle') arrive();
    return router.subscribe('onResolved', arrive);
  }, [router]);
}
