import { lazy, Suspense, useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import { readPage, type SettingsSearch } from '../../preferences/settings-search.ts';

const SettingsDialog = lazy(() => import('./settings-dialog.tsx'));

/** The settings' place in the app. Once opened they stay, so that they close softly and give the focus back. */
export function SettingsHost() {
  const { settings } = useSearch({ strict: false }) as SettingsSearch;
  const page = readPage(settings);
  const [wasOpen, setWasOpen] = useState(false);
  if (page !== undefined && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense>
      <SettingsDialog page={page} />
    </Suspense>
  );
}
