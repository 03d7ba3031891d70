import L from 'leaflet';
import { nearTo } from './geometry.ts';

/** The canvas reaches this share of the view beyond its edges, so that a short pan shows no rim. */
const PADDING = 0.25;

export interface Frame {
  context: CanvasRenderingContext2D;
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

  protected constructor(pane: string, idleMs: number) {
    super();
    this.pane = pane;
    this.idleMs = idleMs;
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.canvas.className = 'leaflet-zoom-animated';
    this.canvas.style.pointerEvents = 'none';
  }

  /** Nothing to draw: the canvas is taken out of sight, and has no size before there is something. On a phone it takes 9 MB. */
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
    const size = map.getSize();
    const pad = size.multiplyBy(PADDING).round();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = size.x + pad.x * 2;
    const height = size.y + pad.y * 2;
    if (this.canvas.width !== width * ratio || this.canvas.height !== height * ratio) {
      this.canvas.width = width * ratio;
      this.canvas.height = height * ratio;
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    this.origin = map.containerPointToLayerPoint(pad.multiplyBy(-1));
    L.DomUtil.setPosition(this.canvas, this.origin);
    this.drawnCentre = map.getCenter();
    this.drawnZoom = map.getZoom();
    const frame = this.frame();
    if (!frame) return;
    frame.context.clearRect(0, 0, width, height);
    this.canvas.style.display = this.paint(frame) ? '' : 'none';
  }

  /** The frame as last drawn, to repaint a part of it; null while the layer is on no map. */
  protected frame(): Frame | null {
    const { map, canvas, origin } = this;
    const context = map && canvas.getContext('2d');
    if (!context) return null;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const zero = map.getPixelOrigin().add(origin);
    return {
      scale: 256 * 2 ** map.getZoom(),
      left: -zero.x,
      top: -zero.y,
      context,
      width: canvas.width / ratio,
      height: canvas.height / ratio,
      zoom: map.getZoom(),
      place: (lat, lng) => map.latLngToLayerPoint(nearTo(map.getCenter().lng, { lat, lng })).subtract(origin),
    };
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
