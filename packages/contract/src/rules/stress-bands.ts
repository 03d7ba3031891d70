import { defaultStressBands } from '../default-settings.ts';
import type { StressBand } from '../settings.ts';

/** Ends of the scale on which a band may start, kPa. */
export const STRESS_MIN = 0;
export const STRESS_MAX = 200;

const onScale = (start: number) => Math.min(STRESS_MAX, Math.max(STRESS_MIN, Math.round(start)));

/**
 * The bands with one of them started elsewhere, kPa. Those that stand in its way are pushed along, so that starts
 * never cross; two may meet, and the lower of them is then empty.
 */
export function moveStart(bands: readonly StressBand[], idx: number, start: number): StressBand[] {
  const to = onScale(start);
  return bands.map((band) => {
    if (band.idx === idx) return { ...band, start: to };
    const pushed = band.idx < idx ? Math.min(band.start, to) : Math.max(band.start, to);
    return pushed === band.start ? band : { ...band, start: pushed };
  });
}

/** The band that holds a tension, kPa; null below the first one's start. Of bands that start together the last holds. */
export const bandOf = (bands: readonly StressBand[], kpa: number): StressBand | null =>
  bands.findLast(({ start }) => start <= kpa) ?? null;

/** Five bands in order, whatever was stored: what can't be used gives way to the default. */
export function mendBands(stored: unknown): StressBand[] {
  const found: unknown[] = Array.isArray(stored) ? stored : [];
  let least = STRESS_MIN;
  return defaultStressBands.map((byDefault) => {
    const given = found.find((band): band is object => isObject(band) && band.idx === byDefault.idx);
    const { name, start, color }: Record<string, unknown> = { ...given };
    const mended = {
      ...given,
      idx: byDefault.idx,
      name: typeof name === 'string' && name.length <= 64 ? name : byDefault.name,
      start: Math.max(least, Number.isFinite(start) ? onScale(Number(start)) : byDefault.start),
      color: isColour(color) ? color.toLowerCase() : byDefault.color,
    };
    least = mended.start;
    return mended;
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isColour = (value: unknown): value is string =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value);
