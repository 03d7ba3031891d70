import type { MapUnit } from '@headrace/contract/map-units';
import { durationText } from '@headrace/contract/rules/contact';
import { numberText } from '../../ui/format.ts';

/** "Right", "95 s fast", "3 minutes slow". Seconds that it is fast, negative when slow. */
export function clockLabel(seconds: number): string {
  if (seconds === 0) return 'Right';
  const size = Math.abs(seconds);
  return `${size < 120 ? `${size} s` : durationText(size * 1000)} ${seconds > 0 ? 'fast' : 'slow'}`;
}

/** The programme that a unit says it holds, as against the one that it was last sent. */
export function heldLabel(unit: Pick<MapUnit, 'ipc_crc' | 'inc_crc' | 'isInhibited'>): string {
  const { ipc_crc: held, inc_crc: wanted, isInhibited } = unit;
  if (held === null) return 'It has not said';
  if (isInhibited) return 'Nothing';
  if (wanted === null) return `A schedule (${held}); it was sent none from here`;
  return held === wanted
    ? `What it was last sent (${held})`
    : `Another schedule (${held}) than it was last sent (${wanted})`;
}

/** "3, as wanted", "3; 4 are wanted": the entries that it says it holds, against those that it was sent. */
export function entriesLabel(held: number, wanted: { readonly entries: readonly unknown[] } | null): string {
  const count = numberText(held);
  if (!wanted) return count;
  const { length } = wanted.entries;
  if (length === held) return `${count}, as wanted`;
  return `${count}; ${numberText(length)} ${length === 1 ? 'is' : 'are'} wanted`;
}
