import { Tabs } from '@mantine/core';
import type { Timezone } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import { DetailsTab } from './details-tab.tsx';
import { useSprinklerDialog } from './sprinkler-search.ts';
import classes from './sprinkler-dialog.module.css';

export const sprinklerTabs = ['details'] as const;
export type SprinklerTab = (typeof sprinklerTabs)[number];
const tabWords: Record<SprinklerTab, string> = { details: 'Details' };

export interface TabProps {
  farmUID: string;
  unit: IpcStatus;
  zone: Timezone | null;
}

export function UnitTabs(props: TabProps) {
  const { search, patch } = useSprinklerDialog();
  const tab = sprinklerTabs.find((name) => name === search.tab) ?? 'details';
  return (
    <Tabs
      value={tab}
      onChange={(name) => patch({ tab: name === 'details' ? undefined : (name ?? undefined) })}
      keepMounted={false}
      classNames={{ list: classes.tabs, tab: classes.tab, panel: classes.panel }}
    >
      <Tabs.List aria-label="About this sprinkler" data-own-swipe>
        {sprinklerTabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {tabWords[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="details">
        <DetailsTab {...props} />
      </Tabs.Panel>
    </Tabs>
  );
}
