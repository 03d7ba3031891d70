import type { ReactNode } from 'react';
import { Tabs } from '@mantine/core';
import type { Timezone } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import { useChosenInSight } from '../../ui/use-chosen-in-sight.ts';
import { CommandsTab } from './commands-tab.tsx';
import { DetailsTab } from './details-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { ScheduleTab } from './schedule-tab.tsx';
import { useSprinklerDialog } from './sprinkler-search.ts';
import classes from './sprinkler-dialog.module.css';

const sprinklerTabs = ['schedule', 'details', 'history', 'commands'] as const;
type SprinklerTab = (typeof sprinklerTabs)[number];
const tabWords: Record<SprinklerTab, string> = {
  schedule: 'Schedule',
  details: 'Details',
  history: 'History',
  commands: 'Commands',
};

export interface TabProps {
  farmUID: string;
  unit: IpcStatus;
  zone: Timezone | null;
}

/** What there is to know of it besides, one thing at a time. */
export function UnitTabs(props: TabProps) {
  const { search, patch } = useSprinklerDialog();
  const tab = sprinklerTabs.find((name) => name === search.tab) ?? 'schedule';
  const list = useChosenInSight(tab);
  return (
    <Tabs
      value={tab}
      onChange={(name) => patch({ tab: name === 'schedule' ? undefined : (name ?? undefined) })}
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab, panel: classes.panel }}
    >
      <Tabs.List ref={list} aria-label="About this sprinkler" data-own-swipe>
        {sprinklerTabs.map((name) => (
          <Tabs.Tab key={name} value={name} data-tab={name}>
            {tabWords[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {sprinklerTabs.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Panel tab={name} {...props} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

function Panel({ tab, ...props }: TabProps & { tab: SprinklerTab }): ReactNode {
  switch (tab) {
    case 'schedule':
      return <ScheduleTab {...props} />;
    case 'details':
      return <DetailsTab {...props} />;
    case 'history':
      return <HistoryTab {...props} />;
    case 'commands':
      return <CommandsTab {...props} />;
    default:
      return tab satisfies never;
  }
}
