import { useEffect } from 'react';
import { useRouter } from '@tanstack/react-router';
import { pathWithin } from '../ui/path-within.ts';

/** Follows the link of a push message that was chosen outside of the page; the service worker tells it. */
export function usePushedLink(): void {
  const { history } = useRouter();
  useEffect(() => {
    const follow = ({ data }: MessageEvent<unknown>) => {
      const path = linkOf(data);
      if (path !== null) history.push(path);
    };
    // Without https a browser has none.
    navigator.serviceWorker?.addEventListener('message', follow);
    return () => navigator.serviceWorker?.removeEventListener('message', follow);
  }, [history]);
}

function linkOf(data: unknown): string | null {
  const { type, link } = (data ?? {}) as { type?: unknown; link?: unknown };
  return type === 'open' && typeof link === 'string' ? pathWithin(link) : null;
}
