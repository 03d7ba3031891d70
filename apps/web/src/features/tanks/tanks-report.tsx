import { useState } from 'react';
import { PERIOD_DAYS } from '@headrace/contract/limits';
import { download } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { farmDay, isChosen, lastDays, type Period, type PeriodChoice } from '../../time-range/period.ts';
import { FileRows } from '../../ui/file-rows.tsx';
import { MadeFileRow } from '../../ui/made-file-row.tsx';
import { TableFileRow } from '../../ui/table-file-row.tsx';

const offered: readonly Period[] = ['Week', 'Month', 'Year', 'Custom'];

export interface TanksReportProps {
  farmUID: string;
  onClose: () => void;
}

/** Levels and usage of all tanks by day, as files of the days that are chosen. */
export default function TanksReport({ farmUID, onClose }: TanksReportProps) {
  const [isOpen, setIsOpen] = useState(true);
  const [choice, setChoice] = useState<PeriodChoice>({ period: 'Month' });
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const { period, from, to } = choice;
  const today = farmDay(zone, serverNow());
  const [start, stop] = isChosen(choice) && from && to ? [from, to] : lastDays(today, PERIOD_DAYS[period]);
  const asked = { query: { farmUID, start, stop } };
  const name = `tanks-${start}-${stop}`;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      onClosed={onClose}
      title="Tanks and usage"
      size={600}
    >
      <p>
        The lowest and highest level of each tank on each day, and what was used of it, as far as it is known.
      </p>
      <PeriodFilter choice={choice} zone={zone} offered={offered} onChange={setChoice} />
      {hasZone && (
        <FileRows>
          <TableFileRow
            key={`${name}.csv`}
            file={`${name}.csv`}
            text="A row for each tank and day, for a spreadsheet."
            of={farmUID}
            make={() => download('GET /reports/tanks.csv', asked)}
          />
          <MadeFileRow
            key={`${name}.pdf`}
            file={`${name}.pdf`}
            text="The same rows on paper, with a chart of each tank's usage."
            of={farmUID}
            make={() => download('GET /reportspdf/tanks', asked)}
          />
        </FileRows>
      )}
    </Dialog>
  );
}
