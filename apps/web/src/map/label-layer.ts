import type { Basemap, Town } from './basemap-data.ts';
import { CanvasLayer, type Frame } from './canvas-layer.ts';
import { placeLabels } from './labels.ts';
import type { MapPalette } from './map-palette.ts';

export const LABEL_FONT = '"Inter Variable", system-ui, sans-serif';

/** The towns' names, over the land and under the markers. */
export class LabelLayer extends CanvasLayer {
  private towns: readonly Town[] = [];
  private palette: MapPalette;
  private isHidden = false;

  constructor(palette: MapPalette, pane: string) {
    super(pane, 0);
    this.palette = palette;
  }

  setBasemaps(basemaps: readonly Basemap[]): void {
    this.towns = basemaps.flatMap((basemap) => basemap.towns);
    this.redraw();
  }

  setPalette(palette: MapPalette): void {
    this.palette = palette;
    this.redraw();
  }

  /** Tiles bring names of their own. */
  setHidden(isHidden: boolean): void {
    if (isHidden === this.isHidden) return;
    this.isHidden = isHidden;
    this.redraw();
  }

  protected override isEmpty(): boolean {
    return this.isHidden || this.towns.length === 0;
  }

  protected override paint(frame: Frame): boolean {
    const { width, height, zoom, place } = frame;
    const font = (rank: number, px: number) => `${rank <= 2 ? 600 : 500} ${px}px ${LABEL_FONT}`;
    const measure = (text: string, px: number) => {
      frame.context.font = font(2, px);
      return frame.context.measureText(text).width;
    };
    const labels = placeLabels(
      this.towns,
      zoom,
      { width, height },
      ({ lat, lng }) => place(lat, lng),
      measure,
    );
    if (labels.length === 0) return false;
    const { context } = frame;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    context.lineJoin = 'round';
    for (const label of labels) {
      context.fillStyle = this.palette.text;
      context.strokeStyle = this.palette.halo;
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(label.x, label.y + 4, label.rank <= 1 ? 2.6 : 2, 0, Math.PI * 2);
      context.stroke();
      context.fill();
      context.font = font(label.rank, label.fontPx);
      context.lineWidth = 3.5;
      context.strokeText(label.text, label.x, label.y - 3);
      context.fillText(label.text, label.x, label.y - 3);
    }
    return true;
  }
}
