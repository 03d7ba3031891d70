import { addDays, clockTime, dayStart, zoneOffsetSeconds } from '../farm-time.ts';

/** A person's night, min after midnight by their own wall clock; one that ends at or before its start goes over midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
  /** Pacific/Auckland. */
  readonly zone: string;
}

/** Until when it is quiet at `now` (epoch ms); null: it isn't. On the night of a clock change the span is longer or shorter by that. */
export function quietUntil({ from, to, zone: timeZoneId }: QuietHours, now: number): number | null {
  if (from === to) return null;
  const zone = { timeZoneId, rawOffset: 0, dstOffset: 0, dstEnabled: true };
  const today = dayStart(zone, now);
  const local = now + zoneOffsetSeconds(timeZoneId, now) * 1000;
  const minute = Math.floor((((local % 86_400_000) + 86_400_000) % 86_400_000) / 60_000);
  const endOf = (day: number) => clockTime(zone, day, to * 60);
  if (from < to) return minute >= from && minute < to ? endOf(today) : null;
  if (minute >= from) return endOf(addDays(zone, today, 1));
  return minute < to ? endOf(today) : null;
}
