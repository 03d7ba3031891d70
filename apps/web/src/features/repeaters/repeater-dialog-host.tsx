import { lazy, Suspense, useState } from 'react';
import { useRepeaterDialog } from './repeater-search.ts';

const RepeaterDialog = lazy(() => import('./repeater-dialog.tsx'));

/** The repeater dialog's place on a page. Once opened it stays, so that it closes softly and gives the focus back. */
export function RepeaterDialogHost() {
  const { search, close } = useRepeaterDialog();
  const [last, setLast] = useState(search.repeater);
  if (search.repeater !== undefined && search.repeater !== last) setLast(search.repeater);
  if (last === undefined) return null;
  return (
    <Suspense>
      <RepeaterDialog id={last} isOpen={search.repeater !== undefined} onClose={close} />
    </Suspense>
  );
}
