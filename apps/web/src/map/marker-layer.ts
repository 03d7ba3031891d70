import { MAP } from '@headrace/contract/limits';
import { conditionColours, type Scheme } from '../ui/tokens.ts';
import { CanvasLayer, type Frame } from './canvas-layer.ts';
import { mapPalettes } from './map-palette.ts';
import { changedMarkers, type MapMarker } from './marker.ts';
import { paintMarkerLabel } from './marker-label.ts';
import { BODY_UP_PX, spriteOf } from './marker-sprites.ts';
import {
  hitMarker,
  hitMarkers,
  inDrawOrder,
  placeMarkers,
  spacingOf,
  unitSize,
  type PlacedMarker,
  type Projection,
} from './placed-markers.ts';

/** Nothing of a marker reaches further from its place, px. */
const REACH = { left: 60, right: 190, up: 60, down: 40 } as const;
/** When more than these changed at once, all are painted anew: it takes less. */
const MOST_REPAINTS = 12;
const METRES_ROUND = 40_075_017;

/** Every marker of the map on one canvas. From zoom 17 they grow into labels. */
export class MarkerLayer extends CanvasLayer {
  private markers: readonly MapMarker[] = [];
  private placed: PlacedMarker[] = [];
  private ordered: PlacedMarker[] = [];
  /** Between sprinklers, on the unit square. */
  private spacing = 0;
  private scheme: Scheme;
  private ringed: string | null = null;
  private chosen: ReadonlySet<string> = new Set();

  constructor(scheme: Scheme, pane: string) {
    super(pane, MAP.idleMs);
    this.scheme = scheme;
  }

  /** Repaints what changed and leaves the rest. */
  setMarkers(markers: readonly MapMarker[]): void {
    const changed = changedMarkers(this.markers, markers);
    if (changed !== 'all' && changed.length === 0) return;
    this.markers = markers;
    this.placed = placeMarkers(markers, this.placed);
    this.ordered = inDrawOrder(this.placed);
    this.spacing = spacingOf(this.placed);
    if (changed === 'all') this.redrawLater();
    else if (changed.length > MOST_REPAINTS) this.redraw();
    else for (const marker of changed) this.repaint(marker);
  }

  setScheme(scheme: Scheme): void {
    if (scheme === this.scheme) return;
    this.scheme = scheme;
    this.redraw();
  }

  /** A ring around one marker: it has the focus, or its popup is open. */
  setRinged(id: string | null): void {
    if (id === this.ringed) return;
    const touched = this.markers.filter((marker) => marker.id === id || marker.id === this.ringed);
    this.ringed = id;
    for (const marker of touched) this.repaint(marker);
  }

  /** Markers that are chosen, each with a tick. */
  setChosen(ids: ReadonlySet<string>): void {
    if (ids === this.chosen) return;
    this.chosen = ids;
    this.redraw();
  }

  /** The marker under a point of the map's box, px; null when none is within reach of a finger. `among`: only these. */
  hit(point: { x: number; y: number }, among?: ReadonlySet<string>): MapMarker | null {
    const projection = this.projection();
    if (!projection) return null;
    const placed = among ? this.placed.filter(({ marker }) => among.has(marker.id)) : this.placed;
    return hitMarker(placed, point, projection);
  }

  /** What a tap at a point of the map's box may mean, px: the nearest marker, or all that lie there on each other. */
  hits(point: { x: number; y: number }): MapMarker[] {
    const projection = this.projection();
    return projection ? hitMarkers(this.placed, point, projection) : [];
  }

  /** Where the unit square lies in the map's box; null while the layer is on no map. */
  private projection(): Projection | null {
    const { map } = this;
    if (!map) return null;
    const zero = map.getPixelOrigin().add(map.containerPointToLayerPoint([0, 0]));
    return { scale: 256 * 2 ** map.getZoom(), left: -zero.x, top: -zero.y };
  }

  protected override isEmpty(): boolean {
    return this.markers.length === 0;
  }

  protected override paint(frame: Frame): boolean {
    this.paintWithin(frame, 0, 0, frame.width, frame.height);
    return true;
  }

  /** All markers that reach into a part of the canvas, px; labels above the markers of others. */
  private paintWithin(frame: Frame, left: number, top: number, right: number, bottom: number): void {
    const seen: { marker: MapMarker; x: number; y: number }[] = [];
    let ringed: (typeof seen)[number] | null = null;
    const middle = (frame.width / 2 - frame.left) / frame.scale;
    for (const { marker, worldX, worldY } of this.ordered) {
      // The copy of the world that is in sight: the map goes on over the date line.
      const x = (worldX + Math.round(middle - worldX)) * frame.scale + frame.left;
      if (x < left - REACH.right || x > right + REACH.left) continue;
      const y = worldY * frame.scale + frame.top;
      if (y < top - REACH.down || y > bottom + REACH.up) continue;
      const one = { marker, x, y };
      if (marker.id === this.ringed) ringed = one;
      else seen.push(one);
    }
    if (ringed) seen.push(ringed);
    const isDetailed = frame.zoom >= MAP.detailZoom;
    for (const { marker, x, y } of seen) if (marker.shape === 'poi') this.paintArea(frame, marker, x, y);
    const size = unitSize(this.spacing * frame.scale);
    for (const { marker, x, y } of seen) this.paintOne(frame, marker, x, y, { isDetailed, size });
  }

  private repaint(marker: MapMarker): void {
    const frame = this.frame();
    if (!frame) return;
    const { context } = frame;
    const { x, y } = frame.place(marker.lat, marker.lng);
    const left = x - REACH.left;
    const top = y - REACH.up;
    const width = REACH.left + REACH.right;
    const height = REACH.up + REACH.down;
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    context.clearRect(left, top, width, height);
    this.paintWithin(frame, left, top, left + width, top + height);
    context.restore();
  }

  private paintOne(
    { context }: Frame,
    marker: MapMarker,
    x: number,
    y: number,
    { isDetailed, size }: { isDetailed: boolean; size: number },
  ): void {
    const sprite = spriteOf(marker, this.scheme, marker.shape === 'sprinkler' ? size : 1);
    const bodyY = y - BODY_UP_PX[marker.shape];
    if (marker.id === this.ringed) this.paintRing(context, x, bodyY);
    if (isDetailed && !marker.isFaint) paintMarkerLabel(context, marker, x, bodyY, this.scheme);
    context.drawImage(
      sprite.canvas,
      Math.round(x - sprite.anchorX),
      Math.round(y - sprite.anchorY),
      sprite.size,
      sprite.size,
    );
    if (this.chosen.has(marker.id))
      this.paintChosen(context, x, bodyY, marker.shape === 'sprinkler' ? size : 1);
  }

  private paintRing(context: CanvasRenderingContext2D, x: number, y: number): void {
    context.beginPath();
    context.arc(x, y, 22, 0, Math.PI * 2);
    context.fillStyle = this.scheme === 'light' ? 'rgb(11 114 133 / 22%)' : 'rgb(92 207 224 / 26%)';
    context.fill();
    context.lineWidth = 2.5;
    context.strokeStyle = mapPalettes[this.scheme].boundary;
    context.stroke();
  }

  /** Chosen: a ring, and where there is room a tick, so that it isn't told by colour alone. */
  private paintChosen(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
    const { boundary } = mapPalettes[this.scheme];
    context.beginPath();
    context.arc(x, y, 14 * size, 0, Math.PI * 2);
    context.lineWidth = size < 1 ? 2 : 3;
    context.strokeStyle = boundary;
    context.stroke();
    if (size < 1) return;
    context.beginPath();
    context.arc(x + 10, y - 10, 7, 0, Math.PI * 2);
    context.fillStyle = boundary;
    context.fill();
    context.beginPath();
    context.moveTo(x + 6.8, y - 10);
    context.lineTo(x + 9.2, y - 7.6);
    context.lineTo(x + 13.4, y - 12.4);
    context.lineWidth = 2;
    context.strokeStyle = this.scheme === 'light' ? '#ffffff' : '#10181c';
    context.stroke();
  }

  /** The ground that a point of interest takes: 20 m around it. Below a few pixels it says nothing. */
  private paintArea({ context, scale }: Frame, { lat, condition }: MapMarker, x: number, y: number): void {
    const radius = (MAP.poiRadius / (METRES_ROUND * Math.cos((lat * Math.PI) / 180))) * scale;
    if (radius < 4) return;
    const colour = conditionColours[this.scheme][condition];
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.globalAlpha = 0.14;
    context.fillStyle = colour;
    context.fill();
    context.globalAlpha = 0.7;
    context.lineWidth = 1.5;
    context.strokeStyle = colour;
    context.stroke();
    context.globalAlpha = 1;
  }
}
