import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

/** Asks for everything on the page anew. */
export function useRefresh(): { refresh: () => void; isRefreshing: boolean } {
  const queryClient = useQueryClient();
  const router = useRouter();
  const refresh = () => {
    void queryClient.invalidateQueries();
    void router.invalidate();
  };
  return { refresh, isRefreshing: useIsFetching() > 0 };
}
