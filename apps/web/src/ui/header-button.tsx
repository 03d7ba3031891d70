import type { ComponentProps } from 'react';
import classes from './header-button.module.css';

export type HeaderButtonProps = ComponentProps<'button'>;

/**
 * A quiet button, 44 px high: an icon, or a pill with a name. The header and the list of notifications use it. A menu that opens beside it
 * passes a class, often an empty one, which is added to its own.
 */
export function HeaderButton({
  look = 'icon',
  className,
  ...props
}: HeaderButtonProps & { look?: 'icon' | 'pill' }) {
  return <button type="button" className={[classes[look], className].filter(Boolean).join(' ')} {...props} />;
}

/** A number at the corner of a button's icon, told by the button's name. */
export function CountBadge({ children }: { children: string | number }) {
  return (
    <span className={classes.badge} aria-hidden="true">
      {children}
    </span>
  );
}

/** The place of a button that is still being fetched. */
export function HeaderButtonPlace() {
  return <span className={classes.icon} />;
}
