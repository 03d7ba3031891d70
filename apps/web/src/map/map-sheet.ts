/** How high a phone's list stands over its map: below it only the counts; over half of it; over all of it. */
export const sheetHeights = ['summary', 'half', 'full'] as const;
export type SheetHeight = (typeof sheetHeights)[number];

/** How much of the page each covers. */
const SHARES: Readonly<Record<SheetHeight, number>> = { summary: 0, half: 0.55, full: 1 };
/** A finger that leaves faster than this goes on to the next height, px a ms. */
const FLING = 0.5;

/** Of `roomPx`. */
export const sheetPx = (height: SheetHeight, roomPx: number): number => SHARES[height] * roomPx;

/** The same, of the heights that there are: where half a map would be a strip, there is the map alone. */
export const heightAmong = (height: SheetHeight, heights: readonly SheetHeight[]): SheetHeight =>
  heights.includes(height) ? height : 'summary';

/** One step higher; null: it is the highest. */
export const higher = (height: SheetHeight, heights: readonly SheetHeight[]): SheetHeight | null =>
  heights[heights.indexOf(height) + 1] ?? null;

/** Where a finger leaves it. */
export interface Release {
  readonly px: number;
  readonly roomPx: number;
  /** Upwards, px a ms. */
  readonly speed: number;
}

/** Where it comes to rest: the nearest height; after a fling the next one in its direction. */
export function restAfter({ px, roomPx, speed }: Release, heights: readonly SheetHeight[]): SheetHeight {
  const isFling = Math.abs(speed) > FLING;
  const ahead = heights.filter((height) => {
    const at = sheetPx(height, roomPx);
    return !isFling || (speed > 0 ? at >= px : at <= px);
  });
  const away = (height: SheetHeight) => Math.abs(sheetPx(height, roomPx) - px);
  const [first = 'summary', ...others] = ahead.length > 0 ? ahead : heights;
  return others.reduce((best, height) => (away(height) < away(best) ? height : best), first);
}
