import { GATEWAY_OUT_OF_CONTACT_MS, NEVER_REACHED_DAYS } from '../limits.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** "2 days, 3 hours": days and hours, hours and minutes, or minutes; all down to minutes where `isFull`. `ms` ≥ 0. */
export function durationText(ms: number, isFull = false): string {
  const unit = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
  const days = Math.floor(ms / DAY);
  const hours = Math.floor((ms % DAY) / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const first = days > 0 ? 0 : hours > 0 ? 1 : 2;
  const end = isFull ? 3 : first + ([hours, minutes][first] === 0 ? 1 : 2);
  return [unit(days, 'day'), unit(hours, 'hour'), unit(minutes, 'minute')].slice(first, end).join(', ');
}

/** A device's clock may be this far ahead of ours without a word, ms. */
const AHEAD_MS = 2 * MINUTE;

/** Short age for a card: "just now", "6 min ago", "3 h ago", "2 days ago"; of a clock that is ahead "9 min ahead of the clock". */
export function ageText(at: number, now: number): string {
  const age = now - at;
  if (age <= -AHEAD_MS) return `${Math.floor(-age / MINUTE)} min ahead of the clock`;
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  const days = Math.floor(age / DAY);
  return `${days} day${days === 1 ? '' : 's'} ago`;
}

const isNever = (at: number | null): at is null => at === null || new Date(at).getUTCFullYear() === 1970;

/** What a dialog says of a device that is out of contact: days, hours and minutes. Exactly 365 days still names the time. spec 2 §8 */
export function outOfContactText(at: number | null, now: number): string {
  if (isNever(at)) return "Unit couldn't be reached.";
  if (now - at > NEVER_REACHED_DAYS * DAY) return 'This unit has no contact.';
  return `This unit hasn't been in contact for ${durationText(now - at, true)}.`;
}

export type GatewayCondition = 'never' | 'outOfContact' | 'ok';

export function gatewayCondition(at: number | null, now: number): GatewayCondition {
  if (isNever(at)) return 'never';
  return now - at > GATEWAY_OUT_OF_CONTACT_MS ? 'outOfContact' : 'ok';
}

/** A gateway's banner, or null while it is in contact. Exactly 365 days already counts as never. */
export function gatewayBanner(at: number | null, now: number): string | null {
  if (isNever(at)) return "Unit couldn't be reached.";
  const days = Math.floor((now - at) / DAY);
  if (now - at <= GATEWAY_OUT_OF_CONTACT_MS) return null;
  if (days >= NEVER_REACHED_DAYS) return 'Unit never been reached.';
  return `This unit is out of contact for more than ${days} days!`;
}
