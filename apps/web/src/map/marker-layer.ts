import { MAP } from '@headrace/contract/limits';
import { conditionColours, type Scheme } from '../ui/tokens.ts';
import { CanvasLayer, type Frame } from './canvas-layer.ts';
import { LABEL_FONT } from './label-layer.ts';
import { mapPalettes } from './map-palette.ts';
import { changedMarkers, markerAt, markerLabel, type MapMarker } from './marker.ts';
import { BODY_UP_PX, spriteOf } from './marker-sprites.ts';

const PILL_HEIGHT_PX = 24;
/** Nothing of a marker reaches further from its place, px. */
const REACH_PX = 190;

/** Every marker of the map on one canvas. From zoom 17 they grow into labels. */
export class MarkerLayer extends CanvasLayer {
  private markers: readonly MapMarker[] = [];
  private scheme: Scheme;
  private ringed: string | null = null;

  constructor(scheme: Scheme, pane: string) {
    super(pane, MAP.idleMs);
    this.scheme = scheme;
  }

  /** Repaints what changed and leaves the rest. */
  setMarkers(markers: readonly MapMarker[]): void {
    const changed = changedMarkers(this.markers, markers);
    this.markers = markers;
    if (changed === 'all') this.redrawLater();
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

  /** The marker under a point of the map's box, px; null when none is within reach of a finger. */
  hit(point: { x: number; y: number }): MapMarker | null {
    const { map } = this;
    if (!map) return null;
    return markerAt(this.markers, point, (marker) => {
      const { x, y } = map.latLngToContainerPoint([marker.lat, marker.lng]);
      return { x, y: y - BODY_UP_PX[marker.shape] };
    });
  }

  protected override paint(frame: Frame): void {
    const { width, height, place } = frame;
    for (const marker of this.drawOrder()) {
      const { x, y } = place(marker.lat, marker.lng);
      if (x < -REACH_PX || y < -40 || x > width + 40 || y > height + 60) continue;
      this.paintOne(frame, marker, x, y);
    }
  }

  /** What needs a person lies on top; then south over north, as pins stand. */
  private drawOrder(): MapMarker[] {
    const weight = ({ id, condition }: MapMarker) =>
      id === this.ringed ? 3 : condition === 'issue' ? 2 : condition === 'caution' ? 1 : 0;
    return [...this.markers].sort((a, b) => weight(a) - weight(b) || b.lat - a.lat);
  }

  private repaint(marker: MapMarker): void {
    const frame = this.frame();
    if (!frame) return;
    const { context } = frame;
    const { x, y } = frame.place(marker.lat, marker.lng);
    context.save();
    context.beginPath();
    context.rect(x - 40, y - 60, 40 + REACH_PX, 100);
    context.clip();
    context.clearRect(x - 40, y - 60, 40 + REACH_PX, 100);
    this.paint(frame);
    context.restore();
  }

  private paintOne({ context, zoom }: Frame, marker: MapMarker, x: number, y: number): void {
    const sprite = spriteOf(marker, this.scheme);
    const bodyY = y - BODY_UP_PX[marker.shape];
    if (zoom >= MAP.detailZoom) this.paintLabel(context, marker, x, bodyY);
    if (marker.id === this.ringed) this.paintRing(context, x, bodyY);
    context.drawImage(
      sprite.canvas,
      Math.round(x - sprite.anchorX),
      Math.round(y - sprite.anchorY),
      sprite.size,
      sprite.size,
    );
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

  private paintLabel(context: CanvasRenderingContext2D, marker: MapMarker, x: number, y: number): void {
    const palette = mapPalettes[this.scheme];
    const name = markerLabel(marker.name);
    const value = marker.value ?? '';
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    context.font = `600 12.5px ${LABEL_FONT}`;
    const nameWidth = context.measureText(name).width;
    context.font = `700 12.5px ${LABEL_FONT}`;
    const valueWidth = value ? context.measureText(value).width + 8 : 0;
    const left = x + 4;
    const top = y - PILL_HEIGHT_PX / 2;
    context.beginPath();
    context.roundRect(left, top, nameWidth + valueWidth + 30, PILL_HEIGHT_PX, PILL_HEIGHT_PX / 2);
    context.fillStyle = palette.pill;
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = palette.pillLine;
    context.stroke();
    context.font = `600 12.5px ${LABEL_FONT}`;
    context.fillStyle = palette.text;
    context.fillText(name, left + 18, y + 0.5);
    if (!value) return;
    context.font = `700 12.5px ${LABEL_FONT}`;
    context.fillStyle = conditionColours[this.scheme][marker.condition];
    context.fillText(value, left + 18 + nameWidth + 8, y + 0.5);
  }
}
