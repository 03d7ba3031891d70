import L from 'leaflet';
import { nextTask } from '../ui/next-task.ts';
import type { Basemap, Ring } from './basemap-data.ts';
import { clipRing, type View } from './clip.ts';
import type { MapPalette } from './map-palette.ts';

const TILE_PX = 512;
/** Coasts are cut this far outside a tile, so that the cut's edge is never seen, px. */
const MARGIN_PX = 6;
/** From this zoom narrow lakes and rivers are a few crooked triangles, and left out. */
const COARSE_FROM_ZOOM = 12;
const COARSE_KM = 1;
/** From this zoom a grid gives the eye a hold where there is only land. */
const GRID_FROM_ZOOM = 12;

/** The land as tiles drawn here, from the base map's own file: no tile server. */
export class LandLayer extends L.GridLayer {
  private basemaps: readonly Basemap[] = [];
  private palette: MapPalette;
  private readonly drawn = new Map<HTMLElement, L.Coords>();
  /** Of the newest drawing of all. */
  private repainted: [HTMLElement, L.Coords][] = [];

  constructor(palette: MapPalette, pane: string) {
    super({ tileSize: TILE_PX, pane, updateWhenZooming: false, keepBuffer: 1 });
    this.palette = palette;
    this.on('tileunload', ({ tile }) => this.drawn.delete(tile));
  }

  setBasemaps(basemaps: readonly Basemap[]): void {
    this.basemaps = basemaps;
    void this.repaint();
  }

  setPalette(palette: MapPalette): void {
    if (palette === this.palette) return;
    this.palette = palette;
    void this.repaint();
  }

  /**
   * The tiles that are there, drawn anew in place: Leaflet's own redraw loses its way at fractions of a zoom. Each in a task of
   * its own, ending where another drawing begins: together they hold up a slow phone.
   */
  private async repaint(): Promise<void> {
    const own = (this.repainted = [...this.drawn]);
    for (const [tile, coords] of own) {
      await nextTask();
      if (this.repainted !== own) return;
      if (this.drawn.has(tile)) this.paint(tile as HTMLCanvasElement, coords);
    }
  }

  protected override createTile(coords: L.Coords): HTMLElement {
    const canvas = document.createElement('canvas');
    this.drawn.set(canvas, coords);
    this.paint(canvas, coords);
    return canvas;
  }

  private paint(canvas: HTMLCanvasElement, coords: L.Coords): void {
    canvas.style.background = this.palette.sea;
    // Nothing is known of the land yet: a tile that is drawn takes 3 MB of a phone.
    if (this.basemaps.length === 0) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = canvas.height = TILE_PX * ratio;
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) return;
    context.scale(ratio, ratio);
    context.fillStyle = this.palette.sea;
    context.fillRect(0, 0, TILE_PX, TILE_PX);
    this.drawLand(context, coords);
  }

  private drawLand(context: CanvasRenderingContext2D, coords: L.Coords): void {
    const scale = 256 * 2 ** coords.z;
    const originX = coords.x * TILE_PX;
    const originY = coords.y * TILE_PX;
    const view: View = {
      minX: (originX - MARGIN_PX) / scale,
      minY: (originY - MARGIN_PX) / scale,
      maxX: (originX + TILE_PX + MARGIN_PX) / scale,
      maxY: (originY + TILE_PX + MARGIN_PX) / scale,
      scale,
    };
    context.beginPath();
    for (const { land } of this.basemaps) {
      for (const rings of land) {
        const coast = rings[0];
        if (!coast || coast.maxX < view.minX || coast.minX > view.maxX) continue;
        if (coast.maxY < view.minY || coast.minY > view.maxY) continue;
        const isKept = (ring: Ring) =>
          ring === coast || coords.z < COARSE_FROM_ZOOM || ring.widthKm >= COARSE_KM;
        for (const ring of rings.filter(isKept))
          trace(context, clipRing(ring, view), scale, originX, originY);
      }
    }
    context.fillStyle = this.palette.land;
    context.fill('evenodd');
    if (coords.z >= GRID_FROM_ZOOM) this.drawGrid(context);
    context.strokeStyle = this.palette.coast;
    context.lineWidth = coords.z < 8 ? 0.6 : 1;
    context.lineJoin = 'round';
    context.stroke();
  }

  /** Lines every 128 px, a fixed share of the projection, so that they stay on the ground while zooming. */
  private drawGrid(context: CanvasRenderingContext2D): void {
    context.save();
    context.clip('evenodd');
    context.fillStyle = this.palette.grid;
    for (let at = 0; at < TILE_PX; at += 128) {
      context.fillRect(at, 0, 1, TILE_PX);
      context.fillRect(0, at, TILE_PX, 1);
    }
    context.restore();
  }
}

function trace(
  context: CanvasRenderingContext2D,
  points: ArrayLike<number>,
  scale: number,
  originX: number,
  originY: number,
): void {
  if (points.length < 6) return;
  context.moveTo((points[0] ?? 0) * scale - originX, (points[1] ?? 0) * scale - originY);
  for (let i = 2; i < points.length; i += 2) {
    context.lineTo((points[i] ?? 0) * scale - originX, (points[i + 1] ?? 0) * scale - originY);
  }
  context.closePath();
}
