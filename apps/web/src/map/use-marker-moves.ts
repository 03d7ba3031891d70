import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { distanceKm } from '@headrace/contract/rules/distance';
import type { Scheme } from '../ui/tokens.ts';
import { useEscape } from '../ui/use-escape.ts';
import type { Frame } from './canvas-layer.ts';
import type { MapMarker } from './marker.ts';
import { distanceText, type Moving, type Shift, shifted, stepOf, stepped } from './moving.ts';
import { paintHeld, paintWay } from './paint-held.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';
import { useMoveTool } from './use-move-tool.ts';
import { usePointerTool } from './use-pointer-tool.ts';
import { useSketch } from './use-sketch.ts';

export interface MarkerMovesOptions {
  layers: MapLayers | null;
  markers: readonly MapMarker[];
  /** null: nothing is moved. */
  moving: Moving | null;
  scheme: Scheme;
  /** A tap that may mean several. */
  onSeveral: (markers: readonly MapMarker[]) => void;
}

export interface MarkerMoves {
  /** What is to be said on the map; null: nothing is moved. */
  message: string | null;
  /** Each tap chooses one more. */
  isSeveral: boolean;
  setSeveral: (is: boolean) => void;
  /** Chooses one by its id. */
  choose: (id: string, isAdding: boolean) => void;
  /** Ends it; what is held is kept. */
  done: () => void;
  /** Arrow keys hold the chosen ones beside their places: it is kept or put back. null: they are where they are. */
  held: { keep: () => void; putBack: () => void } | null;
}

const NONE: ReadonlySet<string> = new Set();
/** There are arrow keys, most likely. */
const hasKeys = () => !window.matchMedia('(pointer: coarse)').matches;
const STILL: Shift = { lat: 0, lng: 0 };
/** What can be kept in sight of a marker that arrow keys move, px. */
const PADDING: [number, number] = [70, 70];

/** Chooses and moves markers: by drag, or by arrow keys with Enter and Escape. */
export function useMarkerMoves(options: MarkerMovesOptions): MarkerMoves {
  const { layers, markers, moving, scheme, onSeveral } = options;
  const [shift, setShift] = useState<Shift | null>(null);
  const [isByKeys, setByKeys] = useState(false);
  const [isSeveral, setSeveral] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const chosen = moving?.chosen ?? NONE;
  const held = useMemo(() => markers.filter(({ id }) => chosen.has(id)), [markers, chosen]);

  const hold = (to: Shift | null, byKeys: boolean) => {
    setShift(to);
    setByKeys(byKeys);
    setRefused(null);
  };
  const keep = (all: readonly MapMarker[], by: Shift) => {
    hold(null, false);
    moving?.onMove(all.map((marker) => ({ id: marker.id, to: placeOf(shifted(marker, by)) })));
  };
  /** Whoever goes on to the next means what he did; it can be undone. */
  const settle = () => (shift ? keep(held, shift) : hold(null, false));
  const pick = (marker: MapMarker | undefined, isAdding: boolean) => {
    const why = marker && moving?.whyNot(marker);
    settle();
    setRefused(why ?? null);
    if (marker && moving && !why)
      moving.onChoose(isAdding ? toggled(chosen, marker.id) : new Set([marker.id]));
  };
  const tool = useMoveTool({
    layers,
    held,
    shift,
    mayTake: (marker) => moving?.whyNot(marker) === null,
    onTake: (marker) => pick(marker, false),
    onShift: (to) => hold(to, false),
    onDrop: keep,
    onTap: (found, { isAdding = false }) => {
      if (found.length > 1) onSeveral(found);
      else if (found[0]) pick(found[0], isAdding || isSeveral);
      else if (!isSeveral) {
        settle();
        moving?.onChoose(NONE);
      }
    },
  });
  usePointerTool(layers, moving && tool);
  useEffect(() => layers?.markers.setChosen(chosen), [layers, chosen]);

  useEffect(() => {
    const container = layers?.map.getContainer();
    // Chosen in a popup that is gone, or in the list: arrow keys are meant for it.
    if (chosen.size > 0 && !container?.contains(document.activeElement))
      container?.focus({ preventScroll: true });
  }, [layers, chosen]);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = stepOf(event);
    const [first] = held;
    const isKept = event.key === 'Enter' && shift !== null;
    if (!moving || !first || !layers || !(step ?? isKept)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!step) return keep(held, shift ?? STILL);
    const next = stepped(shift ?? STILL, step[0], step[1], first.lat);
    hold(next, true);
    layers.map.panInside(onMap(layers.map, shifted(first, next)), { padding: PADDING });
  });
  useEffect(() => {
    const container = layers?.map.getContainer();
    // Before the map, which arrow keys move.
    const listen = (event: KeyboardEvent) => onKey(event);
    container?.addEventListener('keydown', listen, { capture: true });
    return () => container?.removeEventListener('keydown', listen, { capture: true });
  }, [layers]);
  useEscape(
    moving !== null,
    () => {
      if (shift) hold(null, false);
      else if (chosen.size > 0) moving?.onChoose(NONE);
      else moving?.onDone();
    },
    0,
  );

  const paint = useCallback(
    (frame: Frame) => {
      if (!shift) return false;
      for (const marker of held) paintWay(frame, marker, shifted(marker, shift), scheme);
      for (const marker of held) paintHeld(frame, shifted(marker, shift), scheme);
      return held.length > 0;
    },
    [held, shift, scheme],
  );
  useSketch(layers, paint);

  return {
    message: moving && (refused ?? messageOf(held, shift, isByKeys)),
    isSeveral,
    setSeveral,
    choose: (id, isAdding) =>
      pick(
        markers.find((marker) => marker.id === id),
        isAdding,
      ),
    done: () => {
      settle();
      moving?.onDone();
    },
    held: shift && isByKeys ? { keep: () => keep(held, shift), putBack: () => hold(null, false) } : null,
  };
}

const placeOf = ({ lat, lng }: MapMarker) => ({ lat, lng });

function toggled(chosen: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(chosen);
  if (!next.delete(id)) next.add(id);
  return next;
}

function messageOf(held: readonly MapMarker[], shift: Shift | null, isByKeys: boolean): string {
  const [first] = held;
  if (!first)
    return hasKeys()
      ? 'Drag a device to where it stands, or choose it and use the arrow keys.'
      : 'Tap a device to choose it, then drag it to where it stands.';
  const who = held.length === 1 ? first.name : `${held.length} devices`;
  const them = held.length === 1 ? 'it' : 'them';
  const way = hasKeys()
    ? `drag ${them}, or use the arrow keys: 1 m, with Shift 10 m.`
    : `drag ${them} to the right place.`;
  if (!shift) return `${who}: ${way}`;
  const far = distanceText(distanceKm(first, shifted(first, shift)));
  const where = `${who}: ${far} from ${held.length === 1 ? 'its place' : 'their places'}.`;
  return isByKeys ? `${where} Enter keeps ${them}, Escape puts ${them} back.` : where;
}
