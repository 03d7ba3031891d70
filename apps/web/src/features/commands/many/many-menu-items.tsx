import type { ComponentType } from 'react';
import { Menu } from '@mantine/core';
import {
  IconBroadcast,
  IconPlayerPause,
  IconCalendarShare,
  IconPlayerPlay,
  IconDroplet,
  IconDropletOff,
  IconActivityHeartbeat,
  IconSettingsAutomation,
} from '@tabler/icons-react';
import { type GroupCommand, manyOrders } from './many-orders.ts';

type Icon = ComponentType<{ size: number; stroke: number }>;
const icons: Readonly<Record<GroupCommand, Icon>> = {
  SendScheduleSet: IconCalendarShare,
  PollGroup: IconActivityHeartbeat,
  InhibitGroup: IconPlayerPause,
  UninhibitGroup: IconPlayerPlay,
  TurnGroupValvesOn: IconDroplet,
  TurnGroupValvesOff: IconDropletOff,
  ReconfigureGroup: IconSettingsAutomation,
  ChangeGroupComms: IconBroadcast,
};

interface Props {
  commands: readonly GroupCommand[];
  onChoose: (command: GroupCommand) => void;
}

/** In a menu: what can be sent to many. */
export function ManyMenuItems({ commands, onChoose }: Props) {
  return commands.map((command) => {
    const Icon = icons[command];
    return (
      <Menu.Item
        key={command}
        h={44}
        leftSection={<Icon size={18} stroke={1.7} />}
        onClick={() => onChoose(command)}
      >
        {manyOrders[command].item}
      </Menu.Item>
    );
  });
}
