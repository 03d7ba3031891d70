import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import type { ComparedUnit } from '@headrace/contract/schedule-sets';
import { kindLabels } from './compare-labels.ts';

type Programme = ComparedUnit['from'];

/** A row for each sprinkler that changes; of several waterings in a cycle each stands with its day. */
export const compareCsv = (units: readonly ComparedUnit[], from: string, to: string): string =>
  writeCsv([
    ['name', 'line', 'change', from, to],
    ...units.map((unit) => [
      unit.name,
      unit.line,
      kindLabels[unit.kind],
      unit.kind === 'unknown' ? 'not known' : programmeText(unit.from),
      programmeText(unit.to),
    ]),
  ]);

/** "day 1 00:56 28 min; day 2 00:16 28 min" */
function programmeText(programme: Programme): string {
  if (!programme || programme.entries.length === 0) return 'nothing';
  return programme.entries
    .map(({ start, duration, cycle }) => `day ${cycle} ${clockText(start)} ${duration} min`)
    .join('; ');
}
