import type { ReactNode } from 'react';
import classes from './plain-button.module.css';

export interface PlainButtonProps {
  onClick: () => void;
  children: ReactNode;
  disabled?: boolean | undefined;
}

/** The kit's default button in looks. Drawn here, because the first load carries it and not the kit's. */
export function PlainButton({ onClick, children, disabled = false }: PlainButtonProps) {
  return (
    <button type="button" className={classes.button} onClick={onClick} disabled={disabled}>
      {children}
    </button>
  );
}
