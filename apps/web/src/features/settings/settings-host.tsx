import { useState } from 'react';
import { useSearch } from '@tanstack/react-router';
import { readPage, type SettingsSearch } from '../../preferences/settings-search.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import type { SettingsDialogProps } from './settings-dialog.tsx';

const SettingsDialog = lazyDialog<SettingsDialogProps>(() =>
  import('./settings-dialog.tsx').then((m) => m.default),
);

/** The settings' place in the app. Once opened they stay, so that they close softly and give the focus back. */
export function SettingsHost() {
  const { settings } = useSearch({ strict: false }) as SettingsSearch;
  const patch = useSearchPatch<SettingsSearch>();
  const page = readPage(settings);
  const isOpen = page !== undefined;
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <SettingsDialog {...{ page, isOpen }} onClose={() => patch({ settings: undefined })} />;
}
