import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { FarmPermissions } from '../access/permissions.ts';
import { useCurrentFarm } from '../farm/current-farm.ts';
import { farmsCardQuery } from '../farm/farms.queries.ts';
import { toast } from '../ui/toasts.ts';
import type { Here } from './access-changes.ts';

/**
 * Rights that change while one works: a farm that is no longer shared goes from the screens, and lowered rights are
 * told. What they no longer allow closes: every control asks for its right whenever it is drawn, and the page is entered anew.
 */
export function useAccessChanges(permissions: readonly FarmPermissions[] | undefined): void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const current = useCurrentFarm();
  const known = useRef<readonly FarmPermissions[]>(undefined);
  useEffect(() => {
    const before = known.current;
    known.current = permissions;
    if (!permissions || before === permissions) return;
    if (!before) return void router.invalidate();
    const { href } = router.state.location;
    const farms = queryClient.getQueryData(farmsCardQuery.queryKey) ?? [];
    // After that: to be refused a page of a lost farm would get in the way of being led away from it.
    void follow({ queryClient, router, href, farms, current }, before, permissions).then(() =>
      router.invalidate(),
    );
  }, [queryClient, router, current, permissions]);
}

/** It is seldom that they change: what follows then comes when it is needed. */
async function follow(
  here: Here,
  ...change: [before: readonly FarmPermissions[], after: readonly FarmPermissions[]]
) {
  try {
    const { followAccess } = await import('./access-changes.ts');
    await followAccess(here, ...change);
  } catch {
    toast.error('What you may do has changed. Please reload the page.');
  }
}
