import { lazy, Suspense } from 'react';
import { session } from '../api/session.ts';

const loadHeader = () => import('./header.tsx');
const loadSignedIn = () => import('./signed-in.tsx');

/** The shell and the kit come beside the page's own code, not before it. */
const Shell = lazy(async () => {
  if (session().logged) for (const load of [loadHeader, loadSignedIn]) void load().catch(() => undefined);
  const [{ Kit }, { Shell: Inner }] = await Promise.all([
    import('../ui/kit-provider.tsx'),
    import('./shell.tsx'),
  ]);
  return {
    default: () => (
      <Kit>
        <Inner />
      </Kit>
    ),
  };
});

/** What is round every page; until it is there, what index.html shows. */
export function Frame() {
  return (
    <Suspense fallback={<Boot />}>
      <Shell />
    </Suspense>
  );
}

function Boot() {
  return (
    <div className="boot" aria-hidden="true">
      <img src="/icons/logo.svg" width="56" height="56" alt="" />
    </div>
  );
}
