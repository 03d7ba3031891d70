import type { ComponentType, ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useChosenInSight } from '../../ui/use-chosen-in-sight.ts';
import { useCan } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { ScheduleViewSearch } from './view-search.ts';
import linkTabs from '../../ui/link-tabs.module.css';
import classes from './schedule-view.module.css';

type Tabbed = { farmUID: string };
/** A tab whose code comes when it is first opened. `what`: "The table". */
const tabOf = (what: string, load: () => Promise<{ default: ComponentType<Tabbed> }>) =>
  lazyPart(() => load().then((m) => m.default), {
    failed: `${what} couldn't be loaded`,
    waiting: <Skeleton blocks={6} blockPx={44} />,
  });
const TimelineTab = tabOf('The timeline', () => import('./timeline-tab.tsx'));
// A phone has no use for the bars and all that can be tried out with them.
const Agenda = tabOf('The waterings to come', () => import('./agenda.tsx'));
const TableTab = tabOf('The table', () => import('./table-tab.tsx'));
const DiaryTab = tabOf('The diary', () => import('./diary-tab.tsx'));
const SendsTab = tabOf('What was sent', () => import('./sends-tab.tsx'));
const SupplyTab = tabOf('The water supply', () => import('./supply-tab.tsx'));

const tabs = ['timeline', 'table', 'sends', 'diary', 'supply'] as const;
type Tab = (typeof tabs)[number];
const tabLabels: Record<Tab, string> = {
  timeline: 'Timeline',
  table: 'Table',
  sends: 'Sends',
  diary: 'Diary',
  supply: 'Water supply',
};

/** `/schedules/view/{id}`: what a farm's sprinklers will water, what was sent to them, and the water that there is. */
export function ScheduleViewPage() {
  const { id } = useParams({ from: '/schedules/view/$id' });
  return <ScheduleView key={id} farmUID={id} />;
}

function ScheduleView({ farmUID }: { farmUID: string }) {
  const search: ScheduleViewSearch = useSearch({ strict: false });
  const { data: farms } = useQuery(farmsCardQuery);
  const canDashboard = useCan(needs.dashboard, farmUID);
  const shown = useTabs(farmUID);
  const tab = shown.find((name) => name === search.tab) ?? shown[0] ?? 'supply';
  const list = useChosenInSight(tab);
  return (
    <>
      <TitleBar
        title="Watering"
        subtitle={farms?.find(({ _id }) => _id === farmUID)?.name}
        back={canDashboard ? '/dashboard' : '/'}
      />
      <nav ref={list} aria-label="About the farm's watering" className={`${linkTabs.tabs} ${classes.tabs}`}>
        {shown.map((name) => (
          <Link
            key={name}
            to="/schedules/view/$id"
            params={{ id: farmUID }}
            search={(before) => ({ ...before, tab: name, command: undefined })}
            aria-current={name === tab ? 'page' : undefined}
            className={linkTabs.tab}
            data-tab={name}
            replace
          >
            {tabLabels[name]}
          </Link>
        ))}
      </nav>
      <Panel tab={tab} farmUID={farmUID} />
    </>
  );
}

/** What was sent is for those who may read commands, the diary for those who may see the dashboard. */
function useTabs(farmUID: string): readonly Tab[] {
  const canSends = useCan(needs.readCommands, farmUID);
  const canDiary = useCan(needs.dashboard, farmUID);
  return tabs.filter((name) => (name !== 'sends' || canSends) && (name !== 'diary' || canDiary));
}

function Timeline({ farmUID }: { farmUID: string }) {
  return useIsMobile() ? <Agenda farmUID={farmUID} /> : <TimelineTab farmUID={farmUID} />;
}

function Panel({ tab, farmUID }: { tab: Tab; farmUID: string }): ReactNode {
  switch (tab) {
    case 'timeline':
      return <Timeline farmUID={farmUID} />;
    case 'table':
      return <TableTab farmUID={farmUID} />;
    case 'diary':
      return <DiaryTab farmUID={farmUID} />;
    case 'sends':
      return <SendsTab farmUID={farmUID} />;
    case 'supply':
      return <SupplyTab farmUID={farmUID} />;
    default:
      return tab satisfies never;
  }
}
