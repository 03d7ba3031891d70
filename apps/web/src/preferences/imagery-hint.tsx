import { lazy, Suspense, useState } from 'react';
import classes from './imagery-hint.module.css';

const ImageryHelp = lazy(() => import('./imagery-help.tsx').then((m) => ({ default: m.ImageryHelp })));

/** One line where a map has no imagery, and behind it how to have some. */
export function ImageryHint() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={classes.hint} onClick={() => setIsOpen(true)}>
        Add aerial imagery
      </button>
      <Suspense>{isOpen && <ImageryHelp onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
