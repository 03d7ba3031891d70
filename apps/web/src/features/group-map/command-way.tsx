import type { ReactNode } from 'react';
import { Button } from '@mantine/core';

interface CommandWayProps {
  onPress: () => void;
  /** Of the one that has to be found at once. */
  icon?: ReactNode;
  children: string;
}

/** A command in a list of them. */
export const CommandWay = ({ onPress, icon, children }: CommandWayProps) => (
  <li>
    <Button
      variant={icon ? 'filled' : 'default'}
      mih={44}
      fullWidth
      justify="flex-start"
      leftSection={icon}
      onClick={onPress}
    >
      {children}
    </Button>
  </li>
);
