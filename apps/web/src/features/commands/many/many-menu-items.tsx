import type { ComponentType } from 'react';
import { Menu } from '@mantine/core';
import {
  IconAntenna,
  IconBan,
  IconCalendarShare,
  IconCircleCheck,
  IconDroplet,
  IconDropletOff,
  IconRefresh,
  IconSettingsAutomation,
} from '@tabler/icons-react';
import { type ManyCommand, manyOrders } from './many-orders.ts';

type Icon = ComponentType<{ size: number; stroke: number }>;
const icons: Readonly<Record<ManyCommand, Icon>> = {
  SendScheduleSet: IconCalendarShare,
  PollGroup: IconRefresh,
  InhibitGroup: IconBan,
  UninhibitGroup: IconCircleCheck,
  TurnGroupValvesOn: IconDroplet,
  TurnGroupValvesOff: IconDropletOff,
  ReconfigureGroup: IconSettingsAutomation,
  ChangeGroupComms: IconAntenna,
};

interface Props {
  commands: readonly ManyCommand[];
  /** They are the whole farm's. */
  isFarm?: boolean;
  onChoose: (command: ManyCommand) => void;
}

/** In a menu: what can be sent to many. */
export function ManyMenuItems({ commands, isFarm = false, onChoose }: Props) {
  return commands.map((command) => {
    const Icon = icons[command];
    return (
      <Menu.Item
        key={command}
        h={44}
        leftSection={<Icon size={18} stroke={1.7} />}
        onClick={() => onChoose(command)}
      >
        {isFarm ? manyOrders[command].item.replace(' group', ' all') : manyOrders[command].item}
      </Menu.Item>
    );
  });
}
