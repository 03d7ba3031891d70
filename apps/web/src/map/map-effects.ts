import { useEffect, useRef } from 'react';
import L from 'leaflet';
import type { LatLng } from '@headrace/contract/schemas';
import type { Scheme } from '../ui/tokens.ts';
import type { BoundaryMode } from './boundary-mode.ts';
import { isOnMap, secondClicks } from './double-click.ts';
import { mapPalettes } from './map-palette.ts';
import type { MapMarker } from './marker.ts';
import { onMap, type MapLayers } from './use-leaflet.ts';
import type { MyLocation } from './use-my-location.ts';
import classes from './farm-map.module.css';

export function useScheme(layers: MapLayers | null, scheme: Scheme): void {
  useEffect(() => {
    const palette = mapPalettes[scheme];
    layers?.land.setPalette(palette);
    layers?.labels.setPalette(palette);
    layers?.markers.setScheme(scheme);
  }, [layers, scheme]);
}

/** The boundary as an area, as its border alone, or not at all. */
export function useBoundary(
  layers: MapLayers | null,
  boundary: readonly LatLng[],
  mode: BoundaryMode,
  scheme: Scheme,
): void {
  useEffect(() => {
    if (!layers || mode === 'hidden' || boundary.length < 3) return undefined;
    const { boundary: colour, boundaryFill, halo } = mapPalettes[scheme];
    const corners = boundary.map((corner) => onMap(layers.map, corner));
    const shared = { interactive: false, lineJoin: 'round' } as const;
    const drawn = [
      L.polygon(corners, { ...shared, fill: false, color: halo, weight: 6, opacity: 0.8 }),
      L.polygon(corners, {
        ...shared,
        color: colour,
        weight: 2.5,
        fill: mode === 'area',
        fillColor: boundaryFill,
        fillOpacity: 0.09,
      }),
    ].map((polygon) => polygon.addTo(layers.map));
    return () => drawn.forEach((polygon) => polygon.remove());
  }, [layers, boundary, mode, scheme]);
}

/** Tells the map's clicks with what lies there, nearest within a finger's reach, and hovers to the nearest marker. */
export function useMarkerClicks(
  layers: MapLayers | null,
  onTap: (markers: readonly MapMarker[]) => void,
): void {
  const tap = useRef(onTap);
  useEffect(() => {
    tap.current = onTap;
  });
  useEffect(() => {
    if (!layers) return undefined;
    const { map, markers } = layers;
    const isSecond = secondClicks();
    const click = (event: L.LeafletMouseEvent) => {
      if (!isSecond(event) && isOnMap(event)) tap.current(markers.hits(event.containerPoint));
    };
    const move = (event: L.LeafletMouseEvent) => {
      const marker = markers.hit(event.containerPoint);
      map.getContainer().style.cursor = marker ? 'pointer' : '';
      map.getContainer().title = marker ? marker.spoken : '';
    };
    map.on('click', click);
    map.on('mousemove', move);
    return () => {
      map.off('click', click);
      map.off('mousemove', move);
    };
  }, [layers]);
}

/** The pegman: where the person stands, with the circle that the reading may be off by. */
export function usePegman(layers: MapLayers | null, location: MyLocation): void {
  useEffect(() => {
    if (!layers || location.state !== 'inside') return undefined;
    const icon = L.divIcon({
      className: classes.pegman ?? '',
      html: PEGMAN,
      iconSize: [36, 36],
      iconAnchor: [18, 32],
    });
    const at = onMap(layers.map, location.at);
    const marker = L.marker(at, { icon, interactive: false, keyboard: false, alt: 'You are here' });
    const circle = L.circle(at, {
      radius: location.accuracyM,
      interactive: false,
      weight: 1,
      fillOpacity: 0.08,
    });
    marker.addTo(layers.map);
    circle.addTo(layers.map);
    return () => {
      marker.remove();
      circle.remove();
    };
  }, [layers, location]);
}

const PEGMAN = `<svg viewBox="0 0 36 36" width="36" height="36" role="img" aria-label="You are here">
<ellipse cx="18" cy="32" rx="8" ry="2.6" fill="currentColor" opacity=".25"/>
<circle cx="18" cy="8" r="5"/><path d="M11.5 16.2c0-1.6 1.3-2.7 2.8-2.7h7.4c1.5 0 2.8 1.1 2.8 2.7v5.6c0 .9-.7 1.6-1.6 1.6l-.6 7.2c-.1.8-.7 1.4-1.5 1.4h-5.6c-.8 0-1.4-.6-1.5-1.4l-.6-7.2c-.9 0-1.6-.7-1.6-1.6Z"/></svg>`;
