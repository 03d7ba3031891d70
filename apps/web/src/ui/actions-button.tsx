import type { ComponentProps } from 'react';
import { IconDotsVertical } from '@tabler/icons-react';
import classes from './actions-menu.module.css';

/** Opens the menu of what can be done with `of`, as a farm's name; shown also before the menu's code is there. */
export const ActionsButton = ({
  of,
  className = '',
  ...props
}: { of: string } & ComponentProps<'button'>) => (
  <button
    type="button"
    // The kit's menu gives its target a class, be it an empty one.
    className={`${classes.button} ${className}`}
    aria-label={`Menu of ${of}`}
    aria-haspopup="menu"
    {...props}
  >
    <IconDotsVertical size={20} stroke={1.7} aria-hidden="true" />
  </button>
);
