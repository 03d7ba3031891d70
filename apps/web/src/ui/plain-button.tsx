import type { ReactNode } from 'react';
import classes from './plain-button.module.css';

export interface PlainButtonProps {
  onClick: () => void;
  children: ReactNode;
  disabled?: boolean | undefined;
  /** Its name, where its words alone don't say what it is about; begins with them. */
  label?: string | undefined;
}

/** The kit's default button in looks. Drawn here, because the first load carries it and not the kit's. */
export function PlainButton({ onClick, children, disabled = false, label }: PlainButtonProps) {
  return (
    <button type="button" className={classes.button} onClick={onClick} disabled={disabled} aria-label={label}>
      {children}
    </button>
  );
}
