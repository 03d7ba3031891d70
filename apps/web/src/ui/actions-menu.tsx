import type { ReactNode } from 'react';
import { Menu } from '@mantine/core';
import { ActionsButton } from './actions-button.tsx';
import classes from './actions-menu.module.css';
import { useOpenAtOnce } from './use-open-at-once.ts';

interface ActionsMenuProps {
  /** Whose actions they are: a farm's name. */
  of: string;
  width: number;
  /** Its button was pressed before it was there (`OnDemand`). */
  comesOpen?: boolean;
  /** Its items. */
  children: ReactNode;
}

/** The button with three dots in the corner of a card, and what can be done with that card's object. */
export function ActionsMenu({ of, width, comesOpen = false, children }: ActionsMenuProps) {
  const { button, isOpen, setIsOpen } = useOpenAtOnce(comesOpen);
  return (
    <Menu
      opened={isOpen}
      onChange={setIsOpen}
      width={width}
      position="bottom-end"
      radius="lg"
      // Within the page's main part, where readers look for it.
      withinPortal={false}
      // A phone may have no room for all of it below the button: rather over the button than out of sight.
      middlewares={{ shift: { crossAxis: true } }}
      withInitialFocusPlaceholder={false}
      // A long menu is scrolled in itself: with the page its button would go out of sight, and the menu with it.
      hideDetached={false}
      // What is scrolled has to be reached without a pointer: by Tab as well as by the arrow keys.
      menuItemTabIndex={0}
    >
      <Menu.Target>
        <ActionsButton of={of} ref={button} />
      </Menu.Target>
      <Menu.Dropdown className={classes.items}>{children}</Menu.Dropdown>
    </Menu>
  );
}
