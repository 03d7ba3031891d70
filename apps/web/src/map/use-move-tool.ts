import { useRef } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { type MapMarker, TOUCH_RADIUS_PX } from './marker.ts';
import { BODY_UP_PX } from './marker-sprites.ts';
import { type Shift, shifted } from './moving.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';
import type { PointerTool, Touch } from './use-pointer-tool.ts';

/** A mouse points at what it takes hold of, px. */
const MOUSE_REACH_PX = 12;

export interface MoveToolOptions {
  layers: MapLayers | null;
  /** Those that are chosen, at their places. */
  held: readonly MapMarker[];
  shift: Shift | null;
  /** Whether a marker that isn't chosen can be taken hold of. */
  mayTake: (marker: MapMarker) => boolean;
  /** A drag of such a one begins. */
  onTake: (marker: MapMarker) => void;
  onShift: (shift: Shift | null) => void;
  onDrop: (held: readonly MapMarker[], shift: Shift) => void;
  onTap: (markers: readonly MapMarker[], touch: Touch) => void;
}

interface Drag {
  readonly marker: MapMarker;
  /** What goes along, itself among them. */
  readonly all: readonly MapMarker[];
  readonly from: Touch;
  /** How far they were held from their places as it began. */
  readonly before: Shift | null;
  isChosen: boolean;
}

const STILL: Shift = { lat: 0, lng: 0 };

/**
 * Drags markers. A finger, which can't tell one of many from the next, drags what was chosen before; all else moves the map.
 * The mouse drags what it points at.
 */
export function useMoveTool(options: MoveToolOptions): PointerTool {
  const { layers, held, shift, mayTake, onTake, onShift, onDrop, onTap } = options;
  const drag = useRef<Drag | null>(null);
  const bodyOf = (marker: MapMarker) => {
    const at = layers?.map.latLngToContainerPoint(onMap(layers.map, marker));
    return at && { x: at.x, y: at.y - BODY_UP_PX[marker.shape] };
  };
  const distanceTo = (marker: MapMarker, { x, y }: Touch) => {
    const body = bodyOf(marker);
    return body ? Math.hypot(body.x - x, body.y - y) : Number.POSITIVE_INFINITY;
  };
  const heldUnder = (touch: Touch): MapMarker | null => {
    const reach = touch.isFinger ? TOUCH_RADIUS_PX : MOUSE_REACH_PX;
    const near = held
      .map((marker) => ({ marker, far: distanceTo(shifted(marker, shift ?? STILL), touch) }))
      .filter(({ far }) => far <= reach)
      .sort((a, b) => a.far - b.far);
    return near[0]?.marker ?? null;
  };
  const freeUnder = (touch: Touch): MapMarker | null => {
    const marker = touch.isFinger ? null : (layers?.markers.hit(touch) ?? null);
    return marker && distanceTo(marker, touch) <= MOUSE_REACH_PX ? marker : null;
  };
  const shiftAt = (touch: Touch): Shift => {
    const { current } = drag;
    if (!current || !layers) return STILL;
    const { map } = layers;
    const begun = shifted<LatLng>(current.marker, current.before ?? STILL);
    const start = map.latLngToContainerPoint(onMap(map, begun));
    const place = map.containerPointToLatLng([
      start.x + touch.x - current.from.x,
      start.y + touch.y - current.from.y,
    ]);
    const to = onMap(map, place.wrap());
    const from = onMap(map, current.marker);
    return { lat: to.lat - from.lat, lng: to.lng - from.lng };
  };
  return {
    grab: (touch) => {
      const chosen = heldUnder(touch);
      const free = chosen ? null : freeUnder(touch);
      const marker = chosen ?? free;
      // With a key for choosing more it is a tap.
      if (!marker || touch.isAdding || (free && !mayTake(free))) return false;
      drag.current = {
        marker,
        all: chosen ? held : [marker],
        from: touch,
        before: chosen ? shift : null,
        isChosen: chosen !== null,
      };
      return true;
    },
    move: (touch) => {
      const { current } = drag;
      if (current && !current.isChosen) onTake(current.marker);
      if (current) current.isChosen = true;
      onShift(shiftAt(touch));
    },
    drop: (touch) => {
      const { current } = drag;
      const to = shiftAt(touch);
      drag.current = null;
      if (current) onDrop(current.all, to);
    },
    cancel: () => {
      onShift(drag.current?.before ?? null);
      drag.current = null;
    },
    tap: (touch) => onTap(layers?.markers.hits(touch) ?? [], touch),
    cursor: (touch) => (heldUnder(touch) || freeUnder(touch) ? 'grab' : ''),
  };
}
