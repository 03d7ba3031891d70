import { StateView } from '../../ui/state-view.tsx';
import { Gantt } from './gantt.tsx';
import { NoSprinklers } from './no-sprinklers.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import { useTimeline } from './use-timeline.ts';

/** What will really run, and why not, as bars over time. */
export default function TimelineTab({ farmUID }: { farmUID: string }) {
  const view = useTimeline(farmUID);
  return (
    <>
      <TimelineBar farmUID={farmUID} {...view} />
      <StateView
        query={view.query}
        failed="The timeline couldn't be loaded"
        skeleton={<Skeleton blocks={6} blockPx={44} />}
        isEmpty={({ lines }) => lines.length === 0}
        empty={<NoSprinklers />}
      >
        {(timeline) => <Gantt timeline={timeline} view={view} />}
      </StateView>
    </>
  );
}
