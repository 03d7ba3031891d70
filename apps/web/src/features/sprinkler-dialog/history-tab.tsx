import { useQuery } from '@tanstack/react-query';
import type { SprinklerHistory } from '@headrace/contract/sprinkler-history';
import { SPRINKLER_HISTORY_MOST } from '@headrace/contract/sprinkler-history';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { type PeriodChoice, rangeOf } from '../../time-range/period.ts';
import { useKeptPeriod } from '../../time-range/use-kept-period.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { historyEntries, type HistoryKind, historyKinds, historyKindLabels } from './history-entries.ts';
import { HistoryList } from './history-list.tsx';
import { sprinklerHistoryQuery, useRenewedByCommands } from './sprinkler-info.queries.ts';
import { useSprinklerDialog } from './sprinkler-search.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import type { TabProps } from './unit-tabs.tsx';
import history from './history-tab.module.css';
import classes from './sprinkler-dialog.module.css';

/** What happened at its place on the days that are chosen, 60 of them unless it is said. */
export default function HistoryTab({ unit, farmUID }: TabProps) {
  const { search, patch } = useSprinklerDialog();
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const { kept, keep } = useKeptPeriod(farmUID, 'History');
  const { period, from, to } = search;
  const choice: PeriodChoice = period ? { period, from, to } : (kept ?? { period: 'Custom' });
  const kind = historyKinds.find((one) => one === search.kind) ?? 'all';
  const query = useQuery({ ...sprinklerHistoryQuery(unit.id, farmUID, rangeOf(choice)), enabled: hasZone });
  useRenewedByCommands('sprinkler-history', unit.id, farmUID);
  const change = ({ period, from, to }: PeriodChoice) => {
    patch({ period, from, to });
    keep({ period, from, to });
  };
  return (
    <div className={classes.sections}>
      <div className={history.filters}>
        <PeriodFilter choice={choice} zone={zone} unchosen="Last 60 days" onChange={change} />
        <Segmented
          aria-label="What to list"
          value={kind}
          data={historyKinds.map((value) => ({ value, label: historyKindLabels[value] }))}
          onChange={(value) => patch({ kind: value === 'all' ? undefined : value })}
        />
      </div>
      <StateView query={query} failed="Its history couldn't be loaded" skeleton={<TabSkeleton />}>
        {(history) => (
          <>
            <HistoryEntries {...{ history, kind, farmUID, zone }} />
            <p className={classes.note}>{noteOf(history, kind, unit.isPartSprinkler)}</p>
          </>
        )}
      </StateView>
    </div>
  );
}

interface HistoryEntriesProps {
  history: SprinklerHistory;
  kind: HistoryKind;
  farmUID: string;
  zone: TabProps['zone'] & {};
}

/** It may have been heard all the same: only these are listed. */
const nothing: Record<HistoryKind, string> = {
  all: 'No watering, command or change is known of these days',
  waterings: 'No watering is known of these days',
  commands: 'No command is known of these days',
  changes: 'No change is known of these days',
};

function HistoryEntries({ history, kind, farmUID, zone }: HistoryEntriesProps) {
  const entries = historyEntries(history, kind);
  if (entries.length > 0) return <HistoryList {...{ entries, farmUID, zone }} />;
  return (
    <Empty title={nothing[kind]}>
      {kind === 'all' ? 'Choose other days to look further back.' : 'Choose other days, or list all.'}
    </Empty>
  );
}

/** What the list leaves out, and what its figures rest on. */
function noteOf({ runs, isCut }: SprinklerHistory, kind: HistoryKind, isPart: boolean): string {
  const hasDepths = runs.length > 0 && (kind === 'all' || kind === 'waterings');
  return [
    isCut
      ? `Only the newest ${SPRINKLER_HISTORY_MOST} of a kind are listed: choose fewer days for the others.`
      : '',
    hasDepths ? 'mm are reckoned from minutes, as its group or the farm was set then.' : '',
    hasDepths && isPart ? 'It is a part sprinkler: they are as of a full circle.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}
