import type { Timezone } from '@headrace/contract/farms';
import type { ClockSeam } from '@headrace/contract/rules/schedule/clock-seams';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import { createFlow } from '@headrace/contract/rules/schedule/planned-flow';
import type { LineUnit } from './turn-units.ts';

const MINUTE = 60_000;
/** What a change of the clock sets beside each other has run by then, min. */
const WATCHED_MIN = 120;

/** The most that is planned to flow once the clock has changed, by what sprinklers hold, L/s. */
export function peakAfter({ at }: ClockSeam, units: readonly LineUnit[], zone: Timezone): number {
  const flow = createFlow({ from: at, steps: WATCHED_MIN, stepMs: MINUTE });
  const to = at + WATCHED_MIN * MINUTE;
  for (const { held, lps } of units) {
    const span = held.at(-1);
    if (!span?.entries || span.until !== null || span.stoppedAt !== null) continue;
    const longest = span.entries.reduce((most, { duration }) => Math.max(most, duration), 0) * MINUTE;
    const programme = { entries: span.entries, cycleDays: span.cycleDays };
    for (const occurrence of occurrences(programme, zone, at - longest, to))
      if (occurrence.endAt > at) flow.add(occurrence, lps);
  }
  return flow.values().reduce((most, lps) => Math.max(most, lps), 0);
}
