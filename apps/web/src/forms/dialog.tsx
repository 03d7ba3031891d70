import { useEffect, type ReactNode } from 'react';
import { Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import classes from './forms.module.css';

export interface DialogProps {
  title: string;
  isOpen?: boolean | undefined;
  onClose: () => void;
  /** After it has faded away. */
  onClosed?: (() => void) | undefined;
  /** px */
  size?: number | undefined;
  isFullScreen?: boolean | undefined;
  children: ReactNode;
}

/** A question or a small task in front of the page. */
export function Dialog(props: DialogProps) {
  const { title, isOpen = true, onClose, onClosed, size = 480, isFullScreen = false, children } = props;
  // Opened only once it is there, so that it sees what had the focus and gives it back on closing.
  const isMounted = useMounted();
  useEffect(returnFocus, []);
  return (
    <Modal
      opened={isMounted && isOpen}
      onClose={onClose}
      transitionProps={{ onExited: onClosed }}
      title={title}
      size={size}
      fullScreen={isFullScreen}
      radius={isFullScreen ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      classNames={{ title: classes.dialogTitle ?? '' }}
      // A page has one banner; the dialog's heading isn't another.
      attributes={{ header: { role: 'none' } }}
    >
      {children}
    </Modal>
  );
}

/** The kit gives the focus back when a dialog closes, but not when it is taken away open, as most here are. */
function returnFocus(): () => void {
  const before = document.activeElement;
  return () => {
    const isLost = document.activeElement === document.body;
    if (isLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
}

/** What can be done, at a dialog's end. `isLong`: the dialog may be longer than the window, and they stay in sight. */
export const Ways = ({ isLong = false, children }: { isLong?: boolean; children: ReactNode }) => (
  <div className={isLong ? `${classes.ways} ${classes.longWays}` : classes.ways}>{children}</div>
);
