import { useState } from 'react';
import type { FarmCard } from '@headrace/contract/farms';
import { flag } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { type DroppedFile, useFileDrop } from './use-file-drop.ts';
import classes from './file-drop.module.css';
import { LazyImportDialog } from './lazy-import-dialog.ts';

/** A file that is dropped on the page is one to import: what it would do is shown. */
export function FileDrop({ farm }: { farm: FarmCard }) {
  const [dropped, setDropped] = useState<DroppedFile | null>(null);
  const may = useCan({ anyOf: [flag('import')] }, farm._id) && !farm.tankOnly;
  // While the dialog is open it takes the next one itself.
  const isOver = useFileDrop(may && dropped === null ? setDropped : null);
  return (
    <>
      {isOver && (
        <div className={classes.over} role="status">
          <p>Drop the file to see what it would do to {farm.name}. Nothing is changed before that.</p>
        </div>
      )}
      {dropped && <LazyImportDialog farm={farm} dropped={dropped} onClose={() => setDropped(null)} />}
    </>
  );
}
