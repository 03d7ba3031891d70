import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { saveFile } from '../../ui/save-file.ts';
import type { SetUnit } from '@headrace/contract/schedules';

/** What may not stand in a file's name everywhere. */
const BESIDES_WORDS = /[^\p{L}\p{N}_-]+/gu;

interface Table {
  name: string;
  units: readonly SetUnit[];
}

/** A row for each watering, in the columns that schedules are imported with. Starts on the clock of their day of the cycle. */
const tableCsv = ({ name, units }: Table): string =>
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
export const saveTable = (table: Table): void =>
  saveFile({
    name: `${table.name.replace(BESIDES_WORDS, '-') || 'schedule'}.csv`,
    content: new Blob([tableCsv(table)], { type: 'text/csv' }),
  });
