import { Button } from '@mantine/core';
import classes from './danger-button.module.css';

interface DangerButtonProps {
  isReady: boolean;
  onPress: () => void;
  /** Says what is missing: a button that does nothing, and doesn't say why, seems broken. */
  onNotReady?: (() => void) | undefined;
  children: string;
}

/** Takes much away. It can always be reached: where something is missing, pressing it says what. */
export function DangerButton({ isReady, onPress, onNotReady, children }: DangerButtonProps) {
  return (
    <Button
      className={classes.danger ?? ''}
      aria-disabled={!isReady}
      onClick={isReady ? onPress : onNotReady}
    >
      {children}
    </Button>
  );
}
