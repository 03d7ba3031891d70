import type { ReactNode } from 'react';
import classes from './plain-button.module.css';

export interface PlainButtonProps {
  onClick: () => void;
  children: ReactNode;
  disabled?: boolean | undefined;
  /** Its name, where its words alone don't say what it is about; begins with them. */
  label?: string | undefined;
  /** Of what it shows and hides. */
  isOpen?: boolean | undefined;
}

/** The kit's default button in looks. Drawn here, because the first load carries it and not the kit's. */
export function PlainButton({ onClick, children, disabled = false, label, isOpen }: PlainButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      onClick={onClick}
      disabled={disabled}
      aria-label={label}
      aria-expanded={isOpen}
    >
      {children}
    </button>
  );
}
