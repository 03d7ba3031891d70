import { lazy, Suspense, useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import type { HealthSearch } from './health-search.ts';

const HealthHistoryDialog = lazy(() => import('./health-history-dialog.tsx'));

/** The health history's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function HealthHistoryHost({ farmUID }: { farmUID: string }) {
  const { health } = useSearch({ strict: false }) as HealthSearch;
  const [wasOpen, setWasOpen] = useState(false);
  if (health !== undefined && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <HealthHistoryDialog farmUID={farmUID} />
    </Suspense>
  );
}
