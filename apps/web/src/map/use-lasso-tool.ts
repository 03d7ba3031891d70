import { useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { gripAt } from './draft.ts';
import { isStep, rectangleOf, type LassoMode } from './lasso.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';
import type { PointerTool, Touch } from './use-pointer-tool.ts';

export interface LassoToolOptions {
  layers: MapLayers | null;
  mode: LassoMode;
  onTap: (touch: Touch) => void;
  /** The ring is closed: what lies inside is meant. */
  onRing: (ring: LatLng[]) => void;
}

export interface LassoTool {
  /** What is drawn so far. */
  ring: readonly LatLng[];
  isClosed: boolean;
  /** Closes a polygon; null while it has too few corners. */
  finish: (() => void) | null;
  cancel: () => void;
  tool: PointerTool;
}

/** Draws around devices: freehand or a rectangle by a drag, a polygon by taps. In the mode "tap" drags move the map. */
export function useLassoTool({ layers, mode, onTap, onRing }: LassoToolOptions): LassoTool {
  const [trail, setTrail] = useState<Touch[]>([]);
  const isDragged = mode === 'lasso' || mode === 'rectangle';
  const ringOf = (touches: readonly Touch[]): LatLng[] => {
    const [from] = touches;
    const to = touches.at(-1);
    if (mode === 'rectangle') return from && to ? rectangleOf(from.at, to.at) : [];
    return touches.map(({ at }) => at);
  };
  const finish = (touches: readonly Touch[]) => {
    setTrail([]);
    const ring = ringOf(touches);
    if (ring.length >= 3) onRing(ring);
  };
  const closes = (touch: Touch) => {
    const first = trail[0] && layers?.map.latLngToContainerPoint(onMap(layers.map, trail[0].at));
    return trail.length >= 3 && first !== undefined && gripAt([first], touch, false) !== null;
  };
  return {
    ring: ringOf(trail),
    isClosed: isDragged,
    finish: mode === 'polygon' && trail.length >= 3 ? () => finish(trail) : null,
    cancel: () => setTrail([]),
    tool: {
      grab: (touch) => {
        if (isDragged) setTrail([touch]);
        return isDragged;
      },
      move: (touch) =>
        setTrail((before) =>
          mode === 'rectangle'
            ? [...before.slice(0, 1), touch]
            : isStep(before.at(-1), touch)
              ? [...before, touch]
              : before,
        ),
      drop: (touch) => finish([...trail, touch]),
      cancel: () => setTrail([]),
      tap: (touch) => {
        if (mode !== 'polygon') onTap(touch);
        else if (closes(touch)) finish(trail);
        else setTrail([...trail, touch]);
      },
      cursor: (touch) => {
        if (mode !== 'tap') return 'crosshair';
        return layers?.markers.hit(touch) ? 'pointer' : '';
      },
    },
  };
}
