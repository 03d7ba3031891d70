import { useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { gripAt, middleOf, movedCorner, roundPlace, withCorner, type Grip, type Ring } from './draft.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';
import type { PointerTool, Touch } from './use-pointer-tool.ts';

export interface RingToolOptions {
  layers: MapLayers | null;
  ring: Ring;
  /** A finished step. */
  commit: (ring: LatLng[]) => void;
  selected: number | null;
  setSelected: (index: number | null) => void;
}

export interface RingTool {
  /** What a drag makes of the ring now. */
  draft: LatLng[] | null;
  /** Taps still add corners. */
  isOpen: boolean;
  finish: () => void;
  resume: () => void;
  tool: PointerTool;
}

/** Draws a ring: taps add corners until the first is tapped again; corners and middles of sides are dragged. */
export function useRingTool({ layers, ring, commit, selected, setSelected }: RingToolOptions): RingTool {
  const [draft, setDraft] = useState<LatLng[] | null>(null);
  const [wantsMore, setWantsMore] = useState(false);
  const [grip, setGrip] = useState<Grip | null>(null);
  const isOpen = wantsMore || ring.length < 3;

  const held = (touch: Touch): Grip | null => {
    const places = ring.map(
      (corner) => layers?.map.latLngToContainerPoint(onMap(layers.map, corner)) ?? { x: 0, y: 0 },
    );
    return gripAt(places, touch, !isOpen && ring.length >= 3);
  };
  const dragged = ({ at }: Touch): LatLng[] | null => {
    if (!grip) return null;
    if (grip.kind === 'corner') return movedCorner(ring, grip.index, at);
    return withCorner(ring, grip.index, at);
  };
  const finish = () => {
    setWantsMore(false);
    setSelected(null);
  };
  const tapGrip = ({ kind, index }: Grip) => {
    if (kind === 'side') {
      const middle = middleOf(ring, index);
      if (middle) commit(withCorner(ring, index, middle));
      setSelected(index + 1);
    } else if (isOpen && index === 0 && ring.length >= 3) finish();
    else setSelected(index === selected ? null : index);
  };
  return {
    draft,
    isOpen,
    finish,
    resume: () => setWantsMore(true),
    tool: {
      grab: (touch) => {
        const found = held(touch);
        setGrip(found);
        return found !== null;
      },
      move: (touch) => setDraft(dragged(touch)),
      drop: (touch) => {
        const next = dragged(touch);
        setDraft(null);
        if (next) commit(next);
        if (grip) setSelected(grip.kind === 'corner' ? grip.index : grip.index + 1);
      },
      cancel: () => setDraft(null),
      tap: (touch) => {
        const found = held(touch);
        if (found) tapGrip(found);
        else if (isOpen) {
          setWantsMore(true);
          commit([...ring, roundPlace(touch.at)]);
        } else setSelected(null);
      },
      cursor: (touch) => (held(touch) ? 'grab' : isOpen ? 'crosshair' : ''),
    },
  };
}
