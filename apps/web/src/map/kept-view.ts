import { useEffect } from 'react';
import type L from 'leaflet';
import type { LatLng } from '@headrace/contract/schemas';
import { onSignOut } from '../api/session.ts';

/** What a map showed. */
export interface MapView {
  centre: LatLng;
  zoom: number;
}

/** By the history entry that the map was seen at: Back shows what was in sight, and a visit anew the whole farm. */
const views = new Map<string, MapView>();
const MOST = 100;

// Whoever signs in next begins anew.
onSignOut(() => views.clear());

export const keptView = (key: string | undefined): MapView | undefined =>
  key === undefined ? undefined : views.get(key);

/** What a map shows first: a place that it is about, as near as the map was left at least; else where it was left. */
export const beginning = (
  start: MapView | null | undefined,
  kept: MapView | undefined,
): MapView | undefined =>
  start ? { centre: start.centre, zoom: Math.max(start.zoom, kept?.zoom ?? 0) } : kept;

function keep(key: string, map: L.Map): void {
  const { lat, lng } = map.getCenter();
  views.delete(key);
  views.set(key, { centre: { lat, lng }, zoom: map.getZoom() });
  const [oldest] = views.keys();
  if (views.size > MOST && oldest !== undefined) views.delete(oldest);
}

/** Remembers under `key` what the map shows. */
export function useKeptView(map: L.Map | undefined, key: string | undefined): void {
  useEffect(() => {
    if (!map || key === undefined) return undefined;
    const look = () => keep(key, map);
    look();
    map.on('moveend', look);
    return () => void map.off('moveend', look);
  }, [map, key]);
}
