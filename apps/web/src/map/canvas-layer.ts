import L from 'leaflet';
import { nearTo } from './geometry.ts';

/** The canvas reaches this share of the view beyond its edges, so that a short pan shows no rim. */
const PADDING = 0.25;

export interface Frame {
  /** Asked for only by who has something to draw: from then on the canvas takes 9 MB of a phone. */
  readonly context: CanvasRenderingContext2D;
  width: number;
  height: number;
  zoom: number;
  /** How wide the unit square is, px, and where it begins on the canvas: x = worldX * scale + left. */
  scale: number;
  left: number;
  top: number;
  /** Place on the canvas, px. */
  place: (lat: number, lng: number) => { x: number; y: number };
}

/**
 * One canvas over the whole map. A pan moves it, a zoom stretches it, and it is drawn anew some time after the map
 * has come to rest.
 */
export abstract class CanvasLayer extends L.Layer {
  protected map: L.Map | null = null;
  protected readonly canvas: HTMLCanvasElement;
  private readonly pane: string;
  private readonly idleMs: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private drawnCentre = L.latLng(0, 0);
  private drawnZoom = 0;
  private origin = L.point(0, 0);
  /** As last drawn, px. */
  private size = L.point(0, 0);

  protected constructor(pane: string, idleMs: number) {
    super();
    this.pane = pane;
    this.idleMs = idleMs;
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.canvas.className = 'leaflet-zoom-animated';
    this.canvas.style.pointerEvents = 'none';
  }

  /** Nothing to draw: the canvas is taken out of sight. */
  protected abstract isEmpty(): boolean;

  /** Whether there is anything to see: an empty canvas is taken out of sight, because moving it costs as much as a full one. */
  protected abstract paint(frame: Frame): boolean;

  override onAdd(map: L.Map): this {
    this.map = map;
    map.getPane(this.pane)?.append(this.canvas);
    this.redraw();
    return this;
  }

  override onRemove(): this {
    clearTimeout(this.timer);
    this.canvas.remove();
    this.map = null;
    return this;
  }

  override getEvents(): Record<string, L.LeafletEventHandlerFn> {
    const later = () => this.redrawLater();
    return {
      moveend: later,
      viewreset: later,
      resize: later,
      zoomanim: (event) => {
        const { center, zoom } = event as L.ZoomAnimEvent;
        this.stretch(center, zoom);
      },
      zoom: () => this.map && this.stretch(this.map.getCenter(), this.map.getZoom()),
    };
  }

  redrawLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.redraw(), this.idleMs);
  }

  redraw(): void {
    const { map } = this;
    if (!map) return;
    clearTimeout(this.timer);
    if (this.isEmpty()) {
      this.canvas.style.display = 'none';
      return;
    }
    const pad = map.getSize().multiplyBy(PADDING).round();
    this.size = map.getSize().add(pad.multiplyBy(2));
    this.origin = map.containerPointToLayerPoint(pad.multiplyBy(-1));
    L.DomUtil.setPosition(this.canvas, this.origin);
    this.drawnCentre = map.getCenter();
    this.drawnZoom = map.getZoom();
    const frame = this.frame({ isNew: true });
    if (frame) this.canvas.style.display = this.paint(frame) ? '' : 'none';
  }

  /** The frame as last drawn, to repaint a part of it, or a new one that is empty; null while the layer is on no map. */
  protected frame({ isNew } = { isNew: false }): Frame | null {
    const { map, origin } = this;
    const context = map && this.canvas.getContext('2d');
    if (!context) return null;
    const zero = map.getPixelOrigin().add(origin);
    const prepared = once(() => this.prepare(context, isNew));
    return {
      scale: 256 * 2 ** map.getZoom(),
      left: -zero.x,
      top: -zero.y,
      get context() {
        return prepared();
      },
      width: this.size.x,
      height: this.size.y,
      zoom: map.getZoom(),
      place: (lat, lng) => map.latLngToLayerPoint(nearTo(map.getCenter().lng, { lat, lng })).subtract(origin),
    };
  }

  /** Gives the canvas its size, in the screen's own pixels, and empties it for a new frame. */
  private prepare(context: CanvasRenderingContext2D, isNew: boolean): CanvasRenderingContext2D {
    const { canvas, size } = this;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const { x: width, y: height } = size.multiplyBy(ratio).floor();
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      Object.assign(canvas.style, { width: `${size.x}px`, height: `${size.y}px` });
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (isNew) context.clearRect(0, 0, size.x, size.y);
    return context;
  }

  /** Keeps what is drawn over its place while the map moves to another zoom. */
  private stretch(centre: L.LatLng, zoom: number): void {
    const { map } = this;
    if (!map) return;
    const scale = map.getZoomScale(zoom, this.drawnZoom);
    const half = map.getSize().divideBy(2);
    const panned = L.DomUtil.getPosition(map.getPanes().mapPane);
    const newOrigin = map.project(centre, zoom).subtract(half).add(panned).round();
    const pad = map.getSize().multiplyBy(PADDING).round();
    const corner = map
      .project(this.drawnCentre, zoom)
      .subtract(half.add(pad).multiplyBy(scale))
      .subtract(newOrigin);
    L.DomUtil.setTransform(this.canvas, corner, scale);
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
