const DAY = 86_400_000;
const HOUR = 3_600_000;
/** How far below the horizon the middle of the sun is when its rim sets, as the air bends its light. */
const SETTING = (-0.833 * Math.PI) / 180;

/** From sunset to sunrise. Epoch ms. */
export interface Night {
  readonly from: number;
  readonly to: number;
}

/**
 * The nights that touch a time (epoch ms) at a place, oldest first, right to some five minutes: by the sun's height of FAO-56
 * (equations 24, 32 and 33). Where the sun does not set, or not rise, there are none.
 */
export function nightsOf(place: { lat: number; lng: number }, from: number, to: number): Night[] {
  const found: Night[] = [];
  // Noon of a day in UTC may lie a day from noon of the same day at the place.
  for (let day = Math.floor(from / DAY) - 2; day <= Math.floor(to / DAY) + 1; day += 1) {
    const [before, after] = [sunOf(place, day), sunOf(place, day + 1)];
    if (before && after && after.rise > from && before.set < to)
      found.push({ from: before.set, to: after.rise });
  }
  return found;
}

/** Of the sun's day whose noon at the place is nearest to noon UTC of this one, counted from 1970-01-01. */
function sunOf(
  { lat, lng }: { lat: number; lng: number },
  day: number,
): { rise: number; set: number } | null {
  const date = new Date(day * DAY);
  const ofYear = 1 + (day * DAY - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY;
  const declination = 0.409 * Math.sin((2 * Math.PI * ofYear) / 365 - 1.39);
  const latitude = (lat * Math.PI) / 180;
  const cosine =
    (Math.sin(SETTING) - Math.sin(latitude) * Math.sin(declination)) /
    (Math.cos(latitude) * Math.cos(declination));
  if (Math.abs(cosine) >= 1) return null;
  const noon = day * DAY + (12 - seasonHours(ofYear) - lng / 15) * HOUR;
  const half = (Math.acos(cosine) * 12 * HOUR) / Math.PI;
  return { rise: noon - half, set: noon + half };
}

/** By how much a sundial is ahead of a clock. */
function seasonHours(ofYear: number): number {
  const b = (2 * Math.PI * (ofYear - 81)) / 364;
  return 0.1645 * Math.sin(2 * b) - 0.1255 * Math.cos(b) - 0.025 * Math.sin(b);
}
