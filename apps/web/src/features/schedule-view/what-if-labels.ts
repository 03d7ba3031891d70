import type { Timezone } from '@headrace/contract/farms';
import type { PreviewFigures, SchedulePreview } from '@headrace/contract/preview';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { percentText } from '../schedules/percent-text.ts';
import { numberText } from '../../ui/format.ts';
import { dayMinute } from './turn-labels.ts';

/** One figure as it is and as it would be. */
export interface Compared {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** What the change comes to. `now` in epoch ms. */
export function comparedFigures({ before, after }: SchedulePreview, zone: Timezone, now: number): Compared[] {
  const row = (what: string, text: (figures: PreviewFigures) => string): Compared => ({
    what,
    before: text(before),
    after: text(after),
  });
  return [
    row('Most at once', ({ peakLps }) => `${numberText(peakLps, 1)} L/s`),
    row('Last end', ({ endAt }) => (endAt === null ? 'none' : dayMinute(endAt, zone, now))),
    row('Water', ({ litres }) => `${numberText(litres / 1000)} m³`),
    ...after.hours.map(({ fromMin, toMin, why }, at) =>
      row(
        `In ${why.trim() || 'the hours for water'} (${clockText(fromMin)}–${clockText(toMin)})`,
        ({ hours }) => {
          const share = hours[at]?.share ?? null;
          return share === null ? 'none' : percentText(share);
        },
      ),
    ),
  ];
}

/** "North 10.3 → 15.5 mm", of the first day on which a line's depth would be another. */
export function changedDepths({ before, after }: SchedulePreview): Compared[] {
  return after.mm.flatMap(({ line, days }) => {
    const known = before.mm.find((one) => one.line === line)?.days ?? [];
    const day = days.findIndex((mm, index) => mm !== known[index]);
    if (day < 0) return [];
    return [
      { what: line, before: `${numberText(known[day], 1)} mm`, after: `${numberText(days[day], 1)} mm` },
    ];
  });
}
