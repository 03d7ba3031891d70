import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { filterKinds, filterLabels } from '@headrace/contract/rules/sprinkler-filter';
import { useFarmZone } from '../../farm/current-farm.ts';
import { numberText } from '../../ui/format.ts';
import { ReportDialog } from '../reports/report-dialog.tsx';
import { serverTime, useMade } from '../reports/use-made.ts';
import { customText, readCustom, readFilter, readSort, sortLabels } from './group-filter.ts';
import { groupInfoQuery } from './group-map.queries.ts';
import type { GroupDevice } from './group-markers.ts';
import type { GroupMapSearch } from './map-search.ts';

export interface StatusReportProps {
  farm: FarmCard;
  /** The group's, or the whole farm's. */
  name: string;
  /** What the map is called. */
  title: string;
  shown: readonly GroupDevice[];
  onClose: () => void;
}

/** The sprinklers that the map lists, as it lists them. Works without a connection, by what was last known. */
export default function StatusReport({ farm, name, title, shown, onClose }: StatusReportProps) {
  const search: GroupMapSearch = useSearch({ strict: false });
  const queryClient = useQueryClient();
  const zone = useFarmZone(farm._id);
  const made = useMade(farm.name, zone);
  const units = shown.flatMap((device) => (device.kind === 'ipc' ? [device.unit] : []));
  const [filter, sort] = [filterText(search), sortLabels[readSort(search.sort)]];
  if (!made) return null;
  return (
    <ReportDialog
      title="Sprinklers Status Report"
      about={`${numberText(units.length)} ${units.length === 1 ? 'sprinkler' : 'sprinklers'} of ${title}, as the list has them. Filter: ${filter}. Sorted by ${sort}.`}
      name="ipc_status_report"
      withWhat="a map"
      order={() => {
        const { queryKey } = groupInfoQuery(farm._id, name);
        const knownAt = serverTime(queryClient.getQueryState(queryKey)?.dataUpdatedAt);
        const boundary = queryClient.getQueryData(queryKey)?.boundaries ?? [];
        return { kind: 'status', made: made(), data: { of: title, units, filter, sort, boundary, knownAt } };
      }}
      onClose={onClose}
    />
  );
}

/** "Low Battery, found by “A1”" */
function filterText(search: GroupMapSearch): string {
  const kind = readFilter(search);
  const label = filterLabels.find(([one]) => one === kind)?.[1] ?? 'Placeholders';
  const filter = kind === filterKinds.Custom ? customText(readCustom(search)) : label;
  return search.q ? `${filter}, found by “${search.q}”` : filter;
}
