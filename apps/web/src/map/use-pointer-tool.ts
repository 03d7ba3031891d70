import { useEffect, useRef } from 'react';
import type L from 'leaflet';
import type { LatLng } from '@headrace/contract/schemas';
import { isOnMap, secondClicks } from './double-click.ts';
import type { Px } from './draft.ts';
import type { MapLayers } from './use-leaflet.ts';

/** A place under a pointer: in the map's box, px, and on the ground. */
export interface Touch extends Px {
  at: LatLng;
  /** Wide, and over what it points at. */
  isFinger?: boolean;
  /** Shift, Ctrl or Command is held. */
  isAdding?: boolean;
}

/** What a finger or the mouse does on the map, where it isn't moving the map. */
export interface PointerTool {
  /** Whether a drag that begins here is the tool's; else the map is moved. */
  grab: (touch: Touch) => boolean;
  move?: ((touch: Touch) => void) | undefined;
  drop?: ((touch: Touch) => void) | undefined;
  /** A drag that came to nothing: a second finger, or the browser took it. */
  cancel?: (() => void) | undefined;
  /** A press without a drag; of a double click, by which the map zooms, the first. */
  tap?: ((touch: Touch) => void) | undefined;
  /** The mouse's shape over a place. */
  cursor?: ((touch: Touch) => string) | undefined;
}

/** Moves below this are a trembling finger, px. */
const DRAG_MIN_PX = 4;

/** Gives taps and drags to a tool before the map has them. Pointer events: the same for touch, pen and mouse. */
export function usePointerTool(layers: MapLayers | null, tool: PointerTool | null): void {
  const current = useRef(tool);
  useEffect(() => {
    current.current = tool;
  });
  useEffect(() => {
    if (!layers) return undefined;
    return listen(layers.map, () => current.current);
  }, [layers]);
}

interface Drag {
  pointerId: number;
  from: Px;
  isMoving: boolean;
}

function listen(map: L.Map, tool: () => PointerTool | null): () => void {
  const container = map.getContainer();
  let drag: Drag | null = null;
  let swallowClick = false;

  const touchOf = (event: MouseEvent): Touch => {
    const { x, y } = map.mouseEventToContainerPoint(event);
    const { lat, lng } = map.containerPointToLatLng([x, y]).wrap();
    const isFinger = (event as Partial<PointerEvent>).pointerType === 'touch';
    const isAdding = event.shiftKey || event.ctrlKey || event.metaKey;
    return { x, y, at: { lat, lng }, isFinger, isAdding };
  };
  const end = () => {
    drag = null;
    map.dragging.enable();
  };
  const down = (event: PointerEvent) => {
    swallowClick = false;
    if (drag) {
      tool()?.cancel?.();
      end();
      return;
    }
    if (!event.isPrimary || event.button !== 0 || isControl(event.target)) return;
    const touch = touchOf(event);
    if (!tool()?.grab(touch)) return;
    // Before the map hears of the press: it stays where it is.
    map.dragging.disable();
    drag = { pointerId: event.pointerId, from: touch, isMoving: false };
  };
  const move = (event: PointerEvent) => {
    if (!drag) return;
    if (event.pointerId !== drag.pointerId) return;
    const touch = touchOf(event);
    drag.isMoving ||= Math.hypot(touch.x - drag.from.x, touch.y - drag.from.y) >= DRAG_MIN_PX;
    if (drag.isMoving) tool()?.move?.(touch);
  };
  const up = (event: PointerEvent) => {
    if (event.pointerId !== drag?.pointerId) return;
    const { isMoving } = drag;
    end();
    if (!isMoving) return;
    swallowClick = true;
    tool()?.drop?.(touchOf(event));
  };
  const cancel = (event: PointerEvent) => {
    if (event.pointerId !== drag?.pointerId) return;
    end();
    tool()?.cancel?.();
  };
  /** The browser sends a click after a drag within the map as well. */
  const click = (event: MouseEvent) => {
    if (!swallowClick) return;
    swallowClick = false;
    event.stopPropagation();
  };
  const isSecond = secondClicks();
  const tap = (event: L.LeafletMouseEvent) => {
    if (!isSecond(event) && isOnMap(event)) tool()?.tap?.(touchOf(event.originalEvent));
  };
  const hover = (event: L.LeafletMouseEvent) => {
    const cursor = tool()?.cursor;
    if (cursor && !drag) container.style.cursor = cursor(touchOf(event.originalEvent));
  };

  container.addEventListener('pointerdown', down, true);
  container.addEventListener('click', click, true);
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  addEventListener('pointercancel', cancel);
  map.on('click', tap);
  map.on('mousemove', hover);
  return () => {
    container.removeEventListener('pointerdown', down, true);
    container.removeEventListener('click', click, true);
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', cancel);
    map.off('click', tap);
    map.off('mousemove', hover);
    map.dragging.enable();
    container.style.cursor = '';
  };
}

const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('.leaflet-control, .leaflet-popup, a, button') !== null;
