import { useEffect } from 'react';
import { toast } from '../ui/toasts.ts';

const ID = 'offline';

/** Says so while the browser has no network, and stops saying so when it has. */
export function useOfflineNotice(): void {
  useEffect(() => {
    const show = () => toast.notice('You seem to have no internet connection.', { id: ID });
    const close = () => toast.close(ID);
    if (!navigator.onLine) show();
    addEventListener('offline', show);
    addEventListener('online', close);
    return () => {
      removeEventListener('offline', show);
      removeEventListener('online', close);
    };
  }, []);
}
