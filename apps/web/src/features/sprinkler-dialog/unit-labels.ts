import type { MapUnit } from '@headrace/contract/map-units';
import { durationText } from '@headrace/contract/rules/contact';

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
