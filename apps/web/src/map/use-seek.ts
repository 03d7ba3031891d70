import { useEffect, useRef, type RefObject } from 'react';
import type L from 'leaflet';
import type { LatLng } from '@headrace/contract/schemas';
import { MAP } from '@headrace/contract/limits';
import type { MapMarker } from './marker.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';

/** From here on units ten metres apart can be told from each other. */
const SEEK_ZOOM = 18;
/** The marker stands this share of the map's height below its middle: its popup has room above it. */
const BELOW_MIDDLE = 0.2;

/** Shows a place with its neighbours. Who is as near already keeps the zoom. */
export function seekPlace(map: L.Map, place: LatLng, isAnimated: boolean): void {
  const zoom = map.getZoom() >= MAP.detailZoom ? map.getZoom() : SEEK_ZOOM;
  const at = map.project(onMap(map, place), zoom);
  const centre = map.unproject(at.subtract([0, map.getSize().y * BELOW_MIDDLE]), zoom);
  if (isAnimated) map.flyTo(centre, zoom, { duration: 0.4 });
  else map.setView(centre, zoom, { animate: false });
}

/** A marker that was asked for; a new object asks again. */
export interface Sought {
  readonly id: string;
}

export interface SeekOptions {
  /** The selected marker, once it is there. */
  marker: MapMarker | null;
  /** What was last chosen on the map itself: it is under the finger. */
  tapped: RefObject<string | null>;
  /** What was chosen in the page's list; undefined: the map stays where it is, whatever is chosen. */
  sought: Sought | null | undefined;
}

/** Goes to a marker that was chosen elsewhere than on the map: in a list, by a link, by the search. */
export function useSeek(layers: MapLayers | null, { marker, tapped, sought }: SeekOptions): void {
  const last = useRef<{ id: string | undefined; sought: Sought | null } | null>(null);
  const id = marker?.id;
  useEffect(() => {
    if (!layers || sought === undefined) return;
    const before = last.current;
    const isAsked = sought !== null && sought.id === id && sought !== before?.sought;
    last.current = { id, sought: isAsked ? sought : (before?.sought ?? null) };
    if (!marker || (!before && layers.isKept)) return;
    if (isAsked || (id !== before?.id && tapped.current !== id))
      seekPlace(layers.map, marker, before !== null);
    // Where a marker moves to isn't followed.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [layers, id, sought]);
}
