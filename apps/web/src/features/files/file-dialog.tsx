import { type ReactNode, useState } from 'react';
import { Button } from '@mantine/core';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { takeLostFocus } from '../../ui/take-lost-focus.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { ListBehind } from '../devices/list-behind.tsx';
import classes from './files.module.css';

export interface FileDialogProps {
  title: string;
  /** px; a phone's whole window. */
  size: number;
  /** After it has faded away. */
  onClosed: () => void;
  children: (close: () => void) => ReactNode;
}

/** The frame of import and restore: steps of which each takes the place of the one before. */
export function FileDialog({ title, size, onClosed, children }: FileDialogProps) {
  const [isOpen, setIsOpen] = useState(true);
  const isMobile = useIsMobile();
  const close = () => setIsOpen(false);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      onClosed={onClosed}
      title={title}
      size={size}
      isFullScreen={isMobile}
    >
      {children(close)}
    </Dialog>
  );
}

export interface FileDoneProps {
  farmUID: string;
  /** "72 imported, 3 skipped" */
  heading: string;
  items?: readonly string[];
  /** "Undone.", once it was; else ''. */
  undone: string;
  onClose: () => void;
}

const NONE: readonly string[] = [];

/** The last step: what was done, and what gateways don't know of it yet. */
export function FileDone({ farmUID, heading, items = NONE, undone, onClose }: FileDoneProps) {
  return (
    <>
      <p ref={takeLostFocus} tabIndex={-1} className={classes.summary} role="status">
        {undone || heading}
      </p>
      {undone === '' && items.length > 0 && (
        <ul className={classes.items}>
          {[...new Set(items)].map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
      <p className={classes.text}>
        It can be {undone === '' ? 'undone' : 'done again'} for 30 days, in the history of changes.
      </p>
      <ListBehind farmUID={farmUID} button="Update Gateway" />
      <Ways>
        <Button mih={44} onClick={onClose}>
          Close
        </Button>
      </Ways>
    </>
  );
}
