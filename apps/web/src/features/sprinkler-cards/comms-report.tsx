import { useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import type { SprinklerComms } from '@headrace/contract/health';
import { useFarmZone } from '../../farm/current-farm.ts';
import { ReportDialog } from '../reports/report-dialog.tsx';
import { serverTime, useMade } from '../reports/use-made.ts';
import { sprinklerCommsQuery } from './health.queries.ts';

export interface CommsReportProps {
  farm: FarmCard;
  comms: SprinklerComms;
  onClose: () => void;
}

/** The card on paper, with all sprinklers that are not heard regularly. */
export default function CommsReport({ farm, comms, onClose }: CommsReportProps) {
  const queryClient = useQueryClient();
  const zone = useFarmZone(farm._id);
  const made = useMade(farm.name, zone);
  if (!made) return null;
  return (
    <ReportDialog
      title="Sprinkler Comms"
      about={`How regularly the sprinklers of ${farm.name} are heard, and which are not, the longest silence first.`}
      name="ipccomms"
      withWhat="their shares"
      order={() => {
        const { queryKey } = sprinklerCommsQuery(farm._id);
        const knownAt = serverTime(queryClient.getQueryState(queryKey)?.dataUpdatedAt);
        return { kind: 'comms', made: made(), data: { comms, knownAt } };
      }}
      onClose={onClose}
    />
  );
}
