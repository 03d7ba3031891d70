import { numberText } from '../../ui/format.ts';

/** "1½": to the half up to ten, whole beyond. */
export function halves(days: number): string {
  const half = Math.round(days * 2) / 2;
  if (days >= 10 || Number.isInteger(half)) return numberText(days >= 10 ? days : half);
  return half < 1 ? '½' : `${Math.floor(half)}½`;
}

const unit = (text: string, name: string) => `${text} ${name}${text === '1' || text === '½' ? '' : 's'}`;

/** Below half a day a time is told in hours. */
export const isShort = (days: number) => days < 0.5;
export const hours = (days: number) => numberText(Math.max(1, days * 24));

/** "2 days", "½ day", "7 hours". */
export const daysText = (days: number): string =>
  isShort(days) ? unit(hours(days), 'hour') : unit(halves(days), 'day');

/** "5 to 8½"; "5 or more" where the end isn't known. */
export const rangeText = (
  earliest: number,
  latest: number | null,
  textOf: (days: number) => string,
): string => (latest === null ? `${textOf(earliest)} or more` : `${textOf(earliest)} to ${textOf(latest)}`);
