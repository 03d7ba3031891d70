import { useQuery } from '@tanstack/react-query';
import { serverNow } from '../../api/server-time.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { RunList } from './run-list.tsx';
import { HISTORY_DAYS, lastRunsQuery } from './sprinkler-info.queries.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import type { TabProps } from './unit-tabs.tsx';
import classes from './sprinkler-dialog.module.css';

/** When it watered in the last days, as far as that was heard. */
export function HistoryTab({ unit, farmUID }: TabProps) {
  const zone = useChartZone(farmUID);
  const query = useQuery(lastRunsQuery(farmUID, unit.id, serverNow()));
  return (
    <StateView query={query} failed="Its waterings couldn't be loaded" skeleton={<TabSkeleton />}>
      {(runs) => (
        <section className={classes.sections}>
          <h3>Waterings of the last {HISTORY_DAYS} days</h3>
          <RunList runs={runs} zone={zone} empty="None was heard of it in this time." />
        </section>
      )}
    </StateView>
  );
}
