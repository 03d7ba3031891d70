import { SPRINKLER_OUT_OF_CONTACT_DAYS } from './condition.ts';
import { isOutOfContact } from './tank.ts';

const DAY = 86_400_000;

/** When a repeater or a sensor was heard, as all maps and lists say it: a sensor is out of contact after 3 hours, a repeater after 30 days. */
export function contactOf(
  kind: 'repeater' | 'sensor',
  statusTime: number | null,
  now: number,
): 'ok' | 'outOfContact' | 'never' {
  if (statusTime === null) return 'never';
  const isOut =
    kind === 'sensor'
      ? isOutOfContact(statusTime, now)
      : now - statusTime > SPRINKLER_OUT_OF_CONTACT_DAYS * DAY;
  return isOut ? 'outOfContact' : 'ok';
}

export const contactLabels = {
  ok: 'In contact',
  outOfContact: 'Out of contact',
  never: 'Never contacted',
} as const;
