import type { ReactNode } from 'react';
import { Tabs } from '@mantine/core';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useChosenInSight } from '../../ui/use-chosen-in-sight.ts';
import { CommandsTab } from './commands-tab.tsx';
import { DetailsTab } from './details-tab.tsx';
import { ScheduleTab } from './schedule-tab.tsx';
import { useSprinklerDialog } from './sprinkler-search.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import { useFirstTab } from './use-first-tab.ts';
import { ownSwipe } from './use-steps.ts';
import type { UnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

/** With their charts and days these are much code, which most visits don't need. */
const BatteryTab = lazyPart<TabProps>(() => import('./battery-tab.tsx').then((m) => m.default), {
  failed: "The battery's history couldn't be loaded",
  waiting: <TabSkeleton />,
});
const HistoryTab = lazyPart<TabProps>(() => import('./history-tab.tsx').then((m) => m.default), {
  failed: "The history couldn't be loaded",
  waiting: <TabSkeleton />,
});

const sprinklerTabs = ['schedule', 'details', 'battery', 'history', 'commands'] as const;
type SprinklerTab = (typeof sprinklerTabs)[number];
const tabLabels: Record<SprinklerTab, string> = {
  schedule: 'Schedule',
  details: 'Details',
  battery: 'Battery',
  history: 'History',
  commands: 'Commands',
};

export interface TabProps {
  farmUID: string;
  unit: MapUnit;
  zone: Timezone | null;
  commands: UnitCommands;
  /** Asks before a new battery is recorded. */
  onBattery: () => void;
}

/** What there is to know of it besides, one thing at a time. */
export function UnitTabs(props: TabProps) {
  const { search, patch } = useSprinklerDialog();
  const first = useFirstTab(props.unit, props.farmUID);
  const tab = sprinklerTabs.find((name) => name === search.tab) ?? first;
  const list = useChosenInSight(tab);
  return (
    <Tabs
      value={tab}
      onChange={(name) => patch({ tab: name ?? undefined })}
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab, panel: classes.panel }}
    >
      <Tabs.List ref={list} aria-label="About this sprinkler" {...ownSwipe}>
        {sprinklerTabs.map((name) => (
          <Tabs.Tab key={name} value={name} data-tab={name}>
            {tabLabels[name]}
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
    case 'battery':
      return <BatteryTab {...props} />;
    case 'history':
      return <HistoryTab {...props} />;
    case 'commands':
      return <CommandsTab {...props} />;
    default:
      return tab satisfies never;
  }
}
