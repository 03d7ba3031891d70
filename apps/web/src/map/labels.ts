import type { Town } from './basemap-data.ts';

/** From which zoom a town's name is shown, by its rank. */
const FROM_ZOOM = [4, 6, 7, 8, 9, 10] as const;
const FONT_PX = [14, 13, 12.5, 12, 12, 11.5] as const;
/** Kept free around a label, px. */
const GAP_PX = 6;

export interface Label {
  text: string;
  x: number;
  y: number;
  rank: number;
  fontPx: number;
}

export const isShownAt = (rank: number, zoom: number) => zoom >= (FROM_ZOOM[rank] ?? 10);
export const fontPxOf = (rank: number) => FONT_PX[rank] ?? 12;

/**
 * Which labels are drawn: the largest towns first, each only where nothing stands yet. `place` in px, `measure` the
 * text's width in px at a font size.
 */
export function placeLabels(
  towns: readonly Town[],
  zoom: number,
  size: { width: number; height: number },
  place: (town: Town) => { x: number; y: number },
  measure: (text: string, fontPx: number) => number,
): Label[] {
  const taken: { left: number; top: number; right: number; bottom: number }[] = [];
  const labels: Label[] = [];
  const shown = towns.filter((town) => isShownAt(town.rank, zoom)).sort((a, b) => a.rank - b.rank);
  for (const town of shown) {
    const { x, y } = place(town);
    if (x < -80 || y < -20 || x > size.width + 80 || y > size.height + 20) continue;
    const fontPx = fontPxOf(town.rank);
    const half = measure(town.name, fontPx) / 2 + GAP_PX;
    const box = {
      left: x - half,
      right: x + half,
      top: y - fontPx - GAP_PX,
      bottom: y + fontPx / 2 + GAP_PX,
    };
    const isFree = taken.every(
      (other) =>
        box.right < other.left || box.left > other.right || box.bottom < other.top || box.top > other.bottom,
    );
    if (!isFree) continue;
    taken.push(box);
    labels.push({ text: town.name, x, y, rank: town.rank, fontPx });
  }
  return labels;
}
