import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import type { SetUnit } from '@headrace/contract/schedules';

/** What may not stand in a file's name everywhere. */
const BESIDES_WORDS = /[^\p{L}\p{N}_-]+/gu;

interface Table {
  name: string;
  units: readonly SetUnit[];
}

/** A row for each watering, in the columns that schedules are imported with. Starts on the clock of their day of the cycle. */
export const tableCsv = ({ name, units }: Table): string =>
  writeCsv([
    ['set', 'group', 'schedule_group', 'serial_number', 'name', 'cycle', 'start', 'duration'],
    ...units.flatMap((unit) =>
      unit.schedules.map(({ cycle, start, duration }) => [
        name,
        unit.group,
        unit.scheduleGroup,
        unit.serialNumber,
        unit.name,
        cycle,
        clockText(start),
        duration,
      ]),
    ),
  ]);

/** Has the browser save it. */
export function saveTable(table: Table): void {
  const url = URL.createObjectURL(new Blob([tableCsv(table)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${table.name.replace(BESIDES_WORDS, '-') || 'schedule'}.csv`;
  link.click();
  // Not at once: the browser has yet to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
