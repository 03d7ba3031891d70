import type { ReactNode } from 'react';
import { Menu } from '@mantine/core';
import { IconDotsVertical } from '@tabler/icons-react';
import classes from './actions-menu.module.css';

interface ActionsMenuProps {
  /** Whose actions they are: a farm's name. */
  of: string;
  width: number;
  /** Its items. */
  children: ReactNode;
}

/** The button with three dots in the corner of a card, and what can be done with that card's object. */
export const ActionsMenu = ({ of, width, children }: ActionsMenuProps) => (
  <Menu
    width={width}
    position="bottom-end"
    radius="lg"
    // Within the page's main part, where readers look for it.
    withinPortal={false}
    // A phone may have no room for all of it below the button: rather over the button than out of sight.
    middlewares={{ shift: { crossAxis: true } }}
    withInitialFocusPlaceholder={false}
  >
    <Menu.Target>
      <button type="button" className={classes.button} aria-label={`Menu of ${of}`}>
        <IconDotsVertical size={20} stroke={1.7} aria-hidden="true" />
      </button>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
