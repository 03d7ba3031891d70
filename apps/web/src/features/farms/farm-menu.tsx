import { Menu } from '@mantine/core';
import {
  IconCopy,
  IconDotsVertical,
  IconDropletHalf2Filled,
  IconHistory,
  IconLayoutDashboard,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { copyText } from '../../ui/copy-text.ts';
import { toast } from '../../ui/toasts.ts';
import type { FarmLinks } from './farm-card.tsx';
import classes from './home.module.css';

const icon = { size: 18, stroke: 1.7 };

export function FarmMenu({ farm, links }: { farm: FarmCard; links: FarmLinks }) {
  const copy = async () => {
    if (await copyText(farm._id)) toast.success('Site UID Copied!');
    else toast.error(`The site UID couldn't be copied: it is ${farm._id}.`);
  };
  return (
    <Menu width={220} position="bottom-end" radius="lg" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button type="button" className={classes.menu} aria-label={`Menu of ${farm.name}`}>
          <IconDotsVertical {...icon} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {links.dashboard && (
          <Menu.Item
            h={44}
            leftSection={<IconLayoutDashboard {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.dashboard} />}
          >
            Dashboard
          </Menu.Item>
        )}
        {links.tanks && (
          <Menu.Item
            h={44}
            leftSection={<IconDropletHalf2Filled {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.tanks} />}
          >
            Tank map
          </Menu.Item>
        )}
        {links.commands && (
          <Menu.Item
            h={44}
            leftSection={<IconHistory {...icon} />}
            renderRoot={(props) => <Link {...props} {...links.commands} />}
          >
            Commands
          </Menu.Item>
        )}
        <Menu.Item h={44} leftSection={<IconCopy {...icon} />} onClick={() => void copy()}>
          Copy site UID
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
