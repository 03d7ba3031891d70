import { lazy, Suspense, useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import type { TankDialogSearch } from './tank-search.ts';

const TankDialog = lazy(() => import('./tank-dialog.tsx'));

/** The tank dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function TankDialogHost() {
  const { tank } = useSearch({ strict: false }) as TankDialogSearch;
  const [wasOpen, setWasOpen] = useState(false);
  if (tank !== undefined && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <TankDialog />
    </Suspense>
  );
}
