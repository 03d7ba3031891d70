import type { PlanSpan } from '@headrace/contract/rules/schedule/unit-diary';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { HeldRow, Span, WantedRow } from './diary-units.repo.ts';

/**
 * What a sprinkler was to water by in a time: what it held, by its own word or answer; where that is nothing or not known, what was last
 * sent to it. `held` and `wanted` oldest first.
 */
export function planSpans(
  held: readonly HeldRow[],
  wanted: readonly WantedRow[],
  { from, to }: Span,
): PlanSpan[] {
  const spans: PlanSpan[] = [];
  let known = from;
  for (const row of held) {
    const [since, until] = [Math.max(row.since, from), Math.min(row.until ?? to, to)];
    if (since > known)
      spans.push(...standIns(wanted, { from: known, to: since }, { holds: 'unknown', row: null }));
    if (row.entries && row.entries.length > 0) spans.push(heldSpan(row, row.entries));
    else spans.push(...standIns(wanted, { from: since, to: until }, { holds: heldInstead(row), row }));
    known = Math.max(known, until);
  }
  if (known < to) spans.push(...standIns(wanted, { from: known, to }, { holds: 'unknown', row: null }));
  return spans;
}

const heldSpan = (
  { since, until, crc, cycleDays, stoppedAt }: HeldRow,
  entries: NonNullable<HeldRow['entries']>,
): PlanSpan => ({
  since,
  until,
  crc,
  programme: { entries, cycleDays: cycleDays ?? 1 },
  stoppedAt,
  holds: 'this',
  holdsSince: null,
});

/** `D6:DA` of who was never heard before means inhibited or empty. */
function heldInstead({ entries, crc }: HeldRow): PlanSpan['holds'] {
  if (entries !== null) return 'nothing';
  return crc === inhibitedCrc ? 'unknown' : 'foreign';
}

interface Instead {
  readonly holds: PlanSpan['holds'];
  readonly row: HeldRow | null;
}

function standIns(wanted: readonly WantedRow[], { from, to }: Span, { holds, row }: Instead): PlanSpan[] {
  return wanted.flatMap(({ at, crc, entries, cycleDays }, index): PlanSpan[] => {
    const since = Math.max(at, from);
    const until = Math.min(wanted[index + 1]?.at ?? to, to);
    if (since >= until || entries.length === 0) return [];
    const isStopped = row !== null && row.entries === null && row.crc === inhibitedCrc;
    return [
      {
        since,
        until,
        crc,
        programme: { entries, cycleDays },
        stoppedAt: isStopped ? row.since : null,
        holds,
        holdsSince: row?.since ?? null,
      },
    ];
  });
}
