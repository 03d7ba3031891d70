import { useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { GRIP_REACH_PX, roundPlace } from './draft.ts';
import { PIN_UP_PX } from './paint-ring.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';
import type { PointerTool, Touch } from './use-pointer-tool.ts';

export interface PinToolOptions {
  layers: MapLayers | null;
  pin: LatLng | null;
  onMove: (at: LatLng) => void;
  /** Middle of what is taken hold of, above the place, px. */
  upPx?: number;
}

/** Moves one place: by a tap anywhere, or by dragging it. `draft` is where a drag has it now. */
export function usePinTool({ layers, pin, onMove, upPx = PIN_UP_PX }: PinToolOptions): {
  draft: LatLng | null;
  tool: PointerTool;
} {
  const [draft, setDraft] = useState<LatLng | null>(null);
  const [offset, setOffset] = useState({ x: 0, y: 0 });
  const held = ({ x, y }: Touch) => {
    if (!pin || !layers) return null;
    const tip = layers.map.latLngToContainerPoint(onMap(layers.map, pin));
    const isHead = Math.hypot(tip.x - x, tip.y - upPx - y) <= GRIP_REACH_PX;
    const isTip = Math.hypot(tip.x - x, tip.y - y) <= GRIP_REACH_PX;
    return isHead || isTip ? { x: tip.x - x, y: tip.y - y } : null;
  };
  const at = ({ x, y }: Touch) => {
    const place = layers?.map.containerPointToLatLng([x + offset.x, y + offset.y]).wrap();
    return place ? roundPlace({ lat: place.lat, lng: place.lng }) : null;
  };
  return {
    draft,
    tool: {
      grab: (touch) => {
        const from = held(touch);
        if (from) setOffset(from);
        return from !== null;
      },
      move: (touch) => setDraft(at(touch)),
      drop: (touch) => {
        const place = at(touch);
        setDraft(null);
        if (place) onMove(place);
      },
      cancel: () => setDraft(null),
      tap: (touch) => onMove(roundPlace(touch.at)),
      cursor: (touch) => (held(touch) ? 'grab' : 'crosshair'),
    },
  };
}
