import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import type { RepeaterDialogProps } from './repeater-dialog.tsx';
import { useRepeaterDialog } from './repeater-search.ts';

const RepeaterDialog = lazyDialog<RepeaterDialogProps>(() =>
  import('./repeater-dialog.tsx').then((m) => m.default),
);

/** The repeater dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function RepeaterDialogHost() {
  const { search, close } = useRepeaterDialog();
  const [last, setLast] = useState(search.repeater);
  if (search.repeater !== undefined && search.repeater !== last) setLast(search.repeater);
  if (last === undefined) return null;
  return <RepeaterDialog id={last} isOpen={search.repeater !== undefined} onClose={close} />;
}
