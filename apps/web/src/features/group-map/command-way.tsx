import { Button } from '@mantine/core';

/** A command in a list of them. */
export const CommandWay = ({ onPress, children }: { onPress: () => void; children: string }) => (
  <li>
    <Button variant="default" mih={44} fullWidth justify="flex-start" onClick={onPress}>
      {children}
    </Button>
  </li>
);
