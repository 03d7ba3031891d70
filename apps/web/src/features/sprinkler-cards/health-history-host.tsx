import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useHealthDialog } from './health-search.ts';

const HealthHistoryDialog = lazyDialog<{ farmUID: string; isOpen: boolean; onClose: () => void }>(() =>
  import('./health-history-dialog.tsx').then((m) => m.default),
);

/** The health history's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function HealthHistoryHost({ farmUID }: { farmUID: string }) {
  const { search, close } = useHealthDialog();
  const isOpen = search.health !== undefined;
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <HealthHistoryDialog farmUID={farmUID} isOpen={isOpen} onClose={close} />;
}
