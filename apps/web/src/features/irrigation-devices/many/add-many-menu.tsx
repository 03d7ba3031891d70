import { Button, Menu } from '@mantine/core';
import { IconMapPinPlus, IconTable } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';

const icon = { size: 18, stroke: 1.7, 'aria-hidden': true } as const;

/** Ways to add many sprinklers at once. */
export function AddManyMenu({ farmUID }: { farmUID: string }) {
  return (
    <Menu
      width={240}
      position="bottom-end"
      radius="lg"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button variant="default" mih={44}>
          Add many
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          h={44}
          leftSection={<IconTable {...icon} />}
          renderRoot={(props) => (
            <Link {...props} to="/irrigation-device/paste/$farmUID" params={{ farmUID }} />
          )}
        >
          Paste a table of rows
        </Menu.Item>
        <Menu.Item
          h={44}
          leftSection={<IconMapPinPlus {...icon} />}
          renderRoot={(props) => (
            <Link {...props} to="/irrigation-device/map/$farmUID" params={{ farmUID }} />
          )}
        >
          Add on the map
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
