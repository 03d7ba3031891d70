import { useState } from 'react';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import classes from './imagery-hint.module.css';

const ImageryHelp = lazyDialog(() => import('./imagery-help.tsx').then((m) => m.ImageryHelp));

/** One line where a map has no imagery, and behind it how to have some. */
export function ImageryHint() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={classes.hint} onClick={() => setIsOpen(true)}>
        Add aerial imagery
      </button>
      {isOpen && <ImageryHelp onClose={() => setIsOpen(false)} />}
    </>
  );
}
