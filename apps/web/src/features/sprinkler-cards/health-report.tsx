import { useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { HEALTH_DAYS, type SprinklerHealth } from '@headrace/contract/health';
import { historyType } from '@headrace/contract/rules/health-figures';
import { fileWord } from '@headrace/contract/rules/files/file-word';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { download } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { farmDay } from '../../time-range/period.ts';
import { MadeFileRow } from '../../ui/made-file-row.tsx';
import { TableFileRow } from '../../ui/table-file-row.tsx';
import { ReportDialog } from '../reports/report-dialog.tsx';
import { serverTime, useMade } from '../reports/use-made.ts';
import { healthHistoryQuery, sprinklerHealthQuery } from './health.queries.ts';

export interface HealthReportProps {
  farm: FarmCard;
  health: SprinklerHealth;
  onClose: () => void;
}

/** The card on paper, with the sprinklers that have each error and since when. */
export default function HealthReport({ farm, health, onClose }: HealthReportProps) {
  const queryClient = useQueryClient();
  const zone = useFarmZone(farm._id);
  const made = useMade(farm.name, zone);
  if (!made || !zone) return null;
  const historyOf = (type: number) => {
    const now = serverNow();
    const start = farmDay(zone, addDays(zone, dayStart(zone, now), -HEALTH_DAYS));
    return queryClient.fetchQuery(healthHistoryQuery(farm._id, { type, start, stop: farmDay(zone, now) }));
  };
  return (
    <ReportDialog
      title="Sprinkler Health"
      about={`How many of the sprinklers of ${farm.name} are free of clock, battery and schedule errors, and which are not.`}
      name="ipchealth"
      withWhat="the chart"
      order={async () => {
        const [clock, battery, schedule] = await Promise.all([
          historyOf(historyType.clock),
          historyOf(historyType.battery),
          historyOf(historyType.schedule),
        ]);
        const { queryKey } = sprinklerHealthQuery(farm._id);
        const knownAt = serverTime(queryClient.getQueryState(queryKey)?.dataUpdatedAt);
        return {
          kind: 'health',
          made: made(),
          data: { health, histories: { clock, battery, schedule }, knownAt },
        };
      }}
      onClose={onClose}
    >
      <TrendFiles farm={farm} />
    </ReportDialog>
  );
}

/** The last 12 months, which the server has. */
function TrendFiles({ farm }: Pick<HealthReportProps, 'farm'>) {
  const name = `history-trend-${fileWord(farm.name)}`;
  const asked = { query: { farmUID: farm._id } };
  return (
    <>
      <TableFileRow
        file={`${name}.csv`}
        text="The last 12 months by week, for a spreadsheet."
        make={() => download('GET /reports/history-trend.csv', asked)}
      />
      <MadeFileRow
        file={`${name}.pdf`}
        text="The same on paper, with a chart of each count: contact, errors, inhibited, spares and swaps."
        make={() => download('GET /reportspdf/farmhisttrend', asked)}
      />
    </>
  );
}
